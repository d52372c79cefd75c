tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=2 ranks_per_node=1
tutti-program v=1 program=app ranks=2 elapsed_s=1 collectives_s=1 calls=30 left_out=0
tutti-call v=1 program=app site=app.c:7 communicator=MPI_COMM_WORLD comm_ranks=2 comm_nodes=2 collective=bcast ran=binomial size_B=1024 type=MPI_INT type_B=4 operation=- root_least=0 root_most=0 calls=20 total_s=1 slowest_s=0.5 minimum_s=0.01 maximum_s=0.1 between_s=1 waiting_s=0 spread_s=0 last_rank=0 samples=0
tutti-call v=1 program=app site=app.c:9 communicator=half comm_ranks=2 comm_nodes=1 collective=allreduce ran=native size_B=8 type=MPI_DOUBLE type_B=8 operation=MPI_SUM root_least=0 root_most=0 calls=10 total_s=0.5 slowest_s=0.5 minimum_s=0.01 maximum_s=0.1 between_s=1 waiting_s=0.25 spread_s=0.125 last_rank=1 samples=3
tutti-end v=1 measurements=3
