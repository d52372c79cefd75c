-- The views of a store: for sqlite3, pandas and R, for the claims of experiments, and for Tutti itself.
-- docs/reference/store.md has their columns and units. One more view, counts, has a line for each kind (schema.c).

CREATE VIEW measurements AS
  SELECT t.environment, e.platform, e.flavor, e.library, e.tutti, d.collective, d.name AS method, t.scheme, t.ranks,
    t.ranks_per_node, t.root, t.count, t.type_B, t.rank_B, t.total_B, t.arrival, t.noise, t.code, t.launch,
    t.repetitions, t.calls, t.spread_percent, t.minimum_s, t.median_s, t.mean_s, t.maximum_s
  FROM environment e JOIN measurement t ON t.environment = e.id JOIN method d ON d.id = t.method;

-- Launches of a point are one row, as wherever Tutti reads them (launches.c): the median of their medians.
CREATE VIEW points AS
  WITH numbered AS (
    SELECT *, row_number() OVER (PARTITION BY environment, method, scheme, ranks, ranks_per_node, root, count, type_B,
        arrival, noise, code ORDER BY median_s) AS place,
      count(*) OVER (PARTITION BY environment, method, scheme, ranks, ranks_per_node, root, count, type_B, arrival,
        noise, code) AS launches
    FROM measurements)
  SELECT environment, platform, flavor, library, tutti, collective, method, scheme, ranks, ranks_per_node, root, count,
    type_B, rank_B, total_B, arrival, noise, code, launches, min(minimum_s) AS minimum_s,
    avg(iif(place IN ((launches + 1) / 2, (launches + 2) / 2), median_s, NULL)) AS median_s, avg(mean_s) AS mean_s,
    max(maximum_s) AS maximum_s
  FROM numbered
  GROUP BY environment, method, scheme, ranks, ranks_per_node, root, count, type_B, arrival, noise, code;

-- Among equally fast methods the first by name; the library's own choice is not a method of a rule.
CREATE VIEW best_methods AS
  SELECT environment, platform, flavor, library, tutti, collective, method, scheme, ranks, ranks_per_node, root, count,
    type_B, rank_B, total_B, arrival, noise, min(median_s) AS median_s
  FROM (SELECT * FROM points WHERE method NOT GLOB '*/native*' ORDER BY method)
  GROUP BY environment, collective, scheme, ranks, ranks_per_node, root, count, type_B, arrival, noise;

CREATE VIEW builds AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN group_build t ON t.environment = e.id;

CREATE VIEW sorts AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN sort_run t ON t.environment = e.id;

CREATE VIEW ranges AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN range_run t ON t.environment = e.id;

CREATE VIEW maps AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN group_map t ON t.environment = e.id;

CREATE VIEW penalties AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.*
  FROM environment e JOIN decision_penalty t ON t.environment = e.id;

CREATE VIEW comparisons AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN comparison t ON t.environment = e.id;

CREATE VIEW parameters AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN parameter t ON t.environment = e.id;

CREATE VIEW launches AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN launch t ON t.environment = e.id;

CREATE VIEW programs AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN program t ON t.environment = e.id;

CREATE VIEW profiles AS
  SELECT e.platform, e.flavor, e.library, e.tutti, t.* FROM environment e JOIN program_call t ON t.environment = e.id;

-- What the view counts has of measurements; one_node: all ranks of each measurement are on one node.
CREATE VIEW measurement_counts AS
  SELECT t.environment, 'measurement' AS kind, d.collective, t.scheme, t.ranks_per_node,
    min(t.ranks) = max(t.ranks) AND max(t.ranks) = t.ranks_per_node AS one_node, count(*) AS rows
  FROM measurement t JOIN method d ON d.id = t.method GROUP BY 1, 3, 4, 5;

CREATE VIEW environments AS
  SELECT id AS environment, platform, platform_hash, flavor, library, tutti, build, settings, hosts, cpu, cores, binding,
    (SELECT coalesce(sum(rows), 0) FROM counts c WHERE c.environment = e.id) AS rows
  FROM environment e ORDER BY platform, flavor, library, platform_hash, tutti, id;
