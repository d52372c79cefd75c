# What tutti compare --csv --pairs prints, calculated again from the pairs: Rscript compare.R FILE. Estimates, intervals
# and Holm's correction are those of R; exact p values are added up from all 2^n signs by convolution, which wilcox.test()
# does only where no two differences are equal, and there both must agree.
path <- commandArgs(trailingOnly = TRUE)[1]
text <- sub("\r$", "", readLines(path))
ends <- c(which(text == ""), length(text) + 1)
table <- function(i) {
  begin <- if (i == 1) 1 else ends[i - 1] + 1
  read.csv(text = text[begin:(ends[i] - 1)], check.names = FALSE)
}
points <- table(1)
summary <- table(2)
launches <- table(3)
level <- points$level_percent[1] / 100

exact_p <- function(d) {
  d <- d[d != 0]
  n <- length(d)
  if (n == 0) return(1)
  ranks <- 2 * rank(abs(d))
  ways <- 1
  for (r in ranks) { # number of choices of signs for each sum of ranks, as polynomials
    longer <- rep(0, length(ways) + r)
    longer[seq_along(ways)] <- ways
    longer[seq_along(ways) + r] <- longer[seq_along(ways) + r] + ways
    ways <- longer
  }
  v <- sum(ranks[d > 0])
  both <- 2 * min(sum(ways[1:(v + 1)]), sum(ways[(v + 1):length(ways)])) / 2^n
  if (!any(duplicated(abs(d)))) {
    theirs <- wilcox.test(d, exact = TRUE)$p.value
    stopifnot(abs(min(both, 1) - theirs) <= 1e-12)
    by_wilcox_test <<- by_wilcox_test + 1
  }
  min(both, 1)
}
by_wilcox_test <- 0

of_point <- function(p) {
  rows <- launches[launches$collective == p$collective & launches$ranks == p$ranks & launches$size_B == p$size_B, ]
  n <- nrow(rows)
  if (n == 0) return(c(pairs = 0, before = NA, after = NA, ratio = NA, low = NA, high = NA, p = 1))
  d <- round(log(rows$after_s / rows$before_s) * 2^40) / 2^40
  walsh <- outer(d, d, "+") / 2
  walsh <- sort(walsh[lower.tri(walsh, diag = TRUE)])
  cut <- qsignrank(level / 2, n)
  c(pairs = n, before = median(rows$before_s), after = median(rows$after_s), ratio = exp(median(walsh)),
    low = if (cut > 0) exp(walsh[cut]) else NA, high = if (cut > 0) exp(walsh[length(walsh) + 1 - cut]) else NA,
    p = exact_p(d))
}
ours <- as.data.frame(t(sapply(seq_len(nrow(points)), function(i) of_point(points[i, ]))))
ours$corrected <- p.adjust(ours$p, "holm")
ours$outcome <- ifelse(ours$corrected > level, "unclear", ifelse(ours$ratio < 1, "won", "lost"))

largest <- 0
compare <- function(name, theirs, ours) {
  theirs <- as.numeric(theirs)
  stopifnot(all(is.na(theirs) == is.na(ours)))
  difference <- max(c(0, abs(theirs - ours) / pmax(abs(ours), 1e-6)), na.rm = TRUE)
  if (difference > 1e-9) stop(name, " differs by ", difference)
  largest <<- max(largest, difference)
}
change <- function(ratio) 100 * (ratio - 1)
compare("pairs", points$pairs, ours$pairs)
compare("before_s", points$before_s, ours$before)
compare("after_s", points$after_s, ours$after)
compare("change_percent", points$change_percent, change(ours$ratio))
compare("low_percent", points$low_percent, change(ours$low))
compare("high_percent", points$high_percent, change(ours$high))
compare("p_value", points$p_value, ours$p)
compare("corrected_p", points$corrected_p, ours$corrected)
stopifnot(points$outcome == ours$outcome)
for (i in seq_len(nrow(summary))) {
  of <- points$collective == summary$collective[i]
  stopifnot(sum(of) == summary$points[i], sum(ours$outcome[of] == "won") == summary$won[i],
            sum(ours$outcome[of] == "lost") == summary$lost[i], sum(ours$outcome[of] == "unclear") == summary$unclear[i])
  compare("mean_percent", summary$mean_percent[i], mean(change(ours$ratio[of]), na.rm = TRUE))
  compare("max_percent", summary$max_percent[i], max(change(ours$ratio[of]), na.rm = TRUE))
  compare("min_percent", summary$min_percent[i], min(change(ours$ratio[of]), na.rm = TRUE))
}
cat(sprintf("%d points of %d pairs: every number agrees, the largest relative difference is %.1e; wilcox.test() agrees at %d points\n",
            nrow(points), nrow(launches), largest, by_wilcox_test))
