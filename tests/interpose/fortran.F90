! A program in Fortran, by mpif.h, the module mpi or, with TUTTI_F08, the module mpi_f08: the collectives, in and out of
! place, at MPI_BOTTOM, nonblocking and on an intercommunicator.
program fortran
#ifdef TUTTI_F08
  use mpi_f08
  implicit none
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#elif defined TUTTI_MODULE
  use mpi
  implicit none
#define COMMUNICATOR integer
#define REQUEST integer
#define DATATYPE integer
#else
  implicit none
  include 'mpif.h'
#define COMMUNICATOR integer
#define REQUEST integer
#define DATATYPE integer
#endif
  integer, parameter :: n = 5
  integer :: rank, ranks, provided, error, i, call, passed = 0, failed = 0, totals(2)
  integer :: own(n), total(n), before(n)
  integer, allocatable :: all(:), other(:), counts(:), places(:)
  integer(kind=MPI_ADDRESS_KIND) :: address
  COMMUNICATOR :: comm, half, inter
  REQUEST :: pending
  DATATYPE :: absolute
  DATATYPE, allocatable :: types(:)

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, error)
  comm = MPI_COMM_WORLD
  call MPI_Comm_rank(comm, rank, error)
  call MPI_Comm_size(comm, ranks, error)
  allocate (all(n * ranks), other(n * ranks), counts(ranks), places(ranks), types(ranks))
  do call = 1, 3
    call test_rooted(mod(call, ranks))
    call test_all()
    call test_reductions()
  end do
  call test_bottom()
  call test_nonblocking()
  call test_intercommunicator()
  call MPI_Barrier(comm, error)
  call MPI_Reduce([passed, failed], totals, 2, MPI_INTEGER, MPI_SUM, 0, comm, error)
  if (rank == 0) then
    print '(i0,a,i0,a)', totals(1), ' passed, ', totals(2), ' failed'
    print '(a)', 'the end is right'
  end if
  call MPI_Finalize(error)

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) then
      passed = passed + 1
    else
      failed = failed + 1
      write (0, '(2a)') 'FAILED: ', what
    end if
  end subroutine

  subroutine test_rooted(root)
    integer, intent(in) :: root
    own = -1
    if (rank == root) own = [(100 + i, i = 1, n)]
    call MPI_Bcast(own, n, MPI_INTEGER, root, comm, error)
    call check(error == MPI_SUCCESS .and. all_equal(own, [(100 + i, i = 1, n)]), 'bcast')
    own = [(n * rank + i, i = 1, n)]
    call MPI_Gather(own, n, MPI_INTEGER, all, n, MPI_INTEGER, root, comm, error)
    if (rank == root) call check(all_equal(all, [(i, i = 1, n * ranks)]), 'gather')
    if (rank == root) then
      call MPI_Gather(MPI_IN_PLACE, n, MPI_INTEGER, all, n, MPI_INTEGER, root, comm, error)
    else
      call MPI_Gather(own, n, MPI_INTEGER, all, n, MPI_INTEGER, root, comm, error)
    end if
    if (rank == root) call check(all_equal(all, [(i, i = 1, n * ranks)]), 'gather in place')
    own = -1
    call MPI_Scatter(all, n, MPI_INTEGER, own, n, MPI_INTEGER, root, comm, error)
    call check(all_equal(own, [(n * rank + i, i = 1, n)]), 'scatter')
    if (rank == root) then
      call MPI_Reduce(MPI_IN_PLACE, own, n, MPI_INTEGER, MPI_SUM, root, comm, error)
      call check(all_equal(own, [(ranks * i + n * ranks * (ranks - 1) / 2, i = 1, n)]), 'reduce in place')
    else
      call MPI_Reduce(own, total, n, MPI_INTEGER, MPI_SUM, root, comm, error)
    end if
  end subroutine

  subroutine test_all()
    counts = n
    places = [(n * i, i = 0, ranks - 1)]
    types = MPI_INTEGER
    own = [(n * rank + i, i = 1, n)]
    all = -1
    call MPI_Allgather(own, n, MPI_INTEGER, all, n, MPI_INTEGER, comm, error)
    call check(all_equal(all, [(i, i = 1, n * ranks)]), 'allgather')
    all = -1
    all(n * rank + 1:n * rank + n) = own
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_INTEGER, comm, error)
    call check(all_equal(all, [(i, i = 1, n * ranks)]), 'allgather in place')
    all = -1
    call MPI_Allgatherv(own, n, MPI_INTEGER, all, counts, places, MPI_INTEGER, comm, error)
    call check(all_equal(all, [(i, i = 1, n * ranks)]), 'allgatherv')
    all = [(1000 * rank + i, i = 1, n * ranks)]
    call MPI_Alltoall(all, n, MPI_INTEGER, other, n, MPI_INTEGER, comm, error)
    call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, all, counts, places, MPI_INTEGER, comm, error)
    call check(all_equal(all, other) .and. other(n * ranks) == 1000 * (ranks - 1) + n * rank + n, 'alltoall, alltoallv')
    places = 4 * places
    all = [(1000 * rank + i, i = 1, n * ranks)]
    call MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, all, counts, places, types, comm, error)
    call check(all_equal(all, other), 'alltoallw')
  end subroutine

  subroutine test_reductions()
    own = [(rank + i, i = 1, n)]
    call MPI_Allreduce(own, total, n, MPI_INTEGER, MPI_SUM, comm, error)
    call check(all_equal(total, [(ranks * i + ranks * (ranks - 1) / 2, i = 1, n)]), 'allreduce')
    total = own
    call MPI_Allreduce(MPI_IN_PLACE, total, n, MPI_INTEGER, MPI_SUM, comm, error)
    call check(all_equal(total, [(ranks * i + ranks * (ranks - 1) / 2, i = 1, n)]), 'allreduce in place')
    call MPI_Scan(own, total, n, MPI_INTEGER, MPI_SUM, comm, error)
    call MPI_Exscan(own, before, n, MPI_INTEGER, MPI_SUM, comm, error)
    if (rank > 0) call check(all_equal(total, before + own), 'scan, exscan')
    all = rank
    call MPI_Reduce_scatter_block(all, total, n, MPI_INTEGER, MPI_SUM, comm, error)
    call check(total(n) == ranks * (ranks - 1) / 2, 'reduce_scatter_block')
    counts = n
    call MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_INTEGER, MPI_SUM, comm, error)
    call check(all(1) == ranks * (ranks - 1) / 2, 'reduce_scatter in place')
  end subroutine

  subroutine test_bottom()
    integer, asynchronous :: word(n)
    word = -1
    if (rank == 0) word = [(i, i = 1, n)]
    call MPI_Get_address(word, address, error)
    call MPI_Type_create_hindexed(1, [n], [address], MPI_INTEGER, absolute, error)
    call MPI_Type_commit(absolute, error)
    do i = 1, 2
      call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, comm, error)
    end do
    call MPI_Type_free(absolute, error)
    call check(all_equal(word, [(i, i = 1, n)]), 'bcast at MPI_BOTTOM')
  end subroutine

  subroutine test_nonblocking()
    integer, asynchronous :: word(n)
    word = -1
    if (rank == 0) word = [(i, i = 1, n)]
    call MPI_Ibcast(word, n, MPI_INTEGER, 0, comm, pending, error)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
    call check(all_equal(word, [(i, i = 1, n)]), 'ibcast')
    call MPI_Ibarrier(comm, pending, error)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine test_intercommunicator()
    integer :: word, root
    if (ranks < 2) return
    call MPI_Comm_split(comm, mod(rank, 2), rank, half, error)
    call MPI_Intercomm_create(half, 0, comm, 1 - mod(rank, 2), 3, inter, error)
    word = 50 + mod(rank, 2)
    call MPI_Allreduce(MPI_IN_PLACE, word, 1, MPI_INTEGER, MPI_MAX, half, error)
    root = MPI_PROC_NULL
    if (rank == 0) root = MPI_ROOT
    if (mod(rank, 2) == 1) root = 0
    call MPI_Bcast(word, 1, MPI_INTEGER, root, inter, error)
    call check(word == 50, 'bcast on an intercommunicator')
    call MPI_Comm_free(inter, error)
    call MPI_Comm_free(half, error)
  end subroutine

  logical function all_equal(left, right)
    integer, intent(in) :: left(:), right(:)
    all_equal = size(left) == size(right)
    do i = 1, size(left)
      if (left(i) /= right(i)) all_equal = .false.
    end do
  end function
end program
