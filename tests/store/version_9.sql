-- A store of version 9, as it was made then.
BEGIN TRANSACTION;
CREATE TABLE environment (  id INTEGER PRIMARY KEY,  platform TEXT NOT NULL CHECK (platform <> ''),  platform_hash TEXT NOT NULL,  flavor TEXT NOT NULL CHECK (flavor <> ''),  library TEXT NOT NULL CHECK (library <> ''),  tutti TEXT NOT NULL CHECK (tutti <> ''),  build TEXT NOT NULL,  settings TEXT NOT NULL,  hosts TEXT NOT NULL,  cpu TEXT NOT NULL,  cores INTEGER NOT NULL CHECK (cores >= 0),  binding TEXT NOT NULL,  UNIQUE (platform, platform_hash, flavor, library, tutti, build, settings, hosts, cpu, cores, binding)) STRICT;
INSERT INTO environment VALUES(1,'cluster','','mpich','MPICH-4.0.2','0.1.0','','','','',0,'');
INSERT INTO environment VALUES(2,'cluster','','openmpi','Open-MPI-4.1.4','0.1.0','00000000000000aa','','0123456789abcdef','Fast-9000',64,'');
INSERT INTO environment VALUES(3,'fast_ethernet','','none','none','0.1.0','','','','',0,'');
INSERT INTO environment VALUES(4,'fast_ethernet','fd3d66b9739ad79411b5e32bc46c34e47f5d6ca5aeb9ea12afca0dcc6ecf39f8','smpi','SimGrid-3.32','0.1.0','','','','',0,'');
INSERT INTO environment VALUES(5,'in-process','','in-process','Tutti','0.1.0','','','','',0,'');
CREATE TABLE method (  id INTEGER PRIMARY KEY,  name TEXT NOT NULL UNIQUE,  collective TEXT NOT NULL CHECK (name GLOB collective || '/?*')) STRICT;
INSERT INTO method VALUES(1,'bcast/linear','bcast');
INSERT INTO method VALUES(2,'bcast/binomial','bcast');
INSERT INTO method VALUES(3,'bcast/chain/8KB','bcast');
INSERT INTO method VALUES(4,'barrier/bruck','barrier');
CREATE TABLE measurement (  environment INTEGER NOT NULL REFERENCES environment (id),  "method" INTEGER NOT NULL REFERENCES method (id),  "scheme" TEXT NOT NULL CHECK ("scheme" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "root" INTEGER NOT NULL CHECK ("root" >= 0) CHECK (root < ranks),  "count" INTEGER NOT NULL CHECK ("count" >= 0),  "type_B" INTEGER NOT NULL CHECK ("type_B" >= 0) CHECK (type_B >= 1 OR count = 0),  "arrival" TEXT NOT NULL DEFAULT 'none' CHECK ("arrival" <> ''),  "noise" TEXT NOT NULL DEFAULT 'none' CHECK ("noise" <> ''),  "launch" INTEGER NOT NULL DEFAULT '0' CHECK ("launch" >= 0),  "code" TEXT NOT NULL DEFAULT 'none' CHECK ("code" <> ''),  "rank_B" INTEGER NOT NULL CHECK ("rank_B" >= 0) CHECK (rank_B = count * type_B),  "total_B" INTEGER NOT NULL CHECK ("total_B" >= 0),  "repetitions" INTEGER NOT NULL CHECK ("repetitions" >= 1),  "calls" INTEGER NOT NULL DEFAULT '0' CHECK ("calls" >= 0),  "spread_percent" REAL NOT NULL DEFAULT '0',  "minimum_s" REAL NOT NULL CHECK (minimum_s >= 0 OR scheme = 'occ'),  "median_s" REAL NOT NULL,  "mean_s" REAL NOT NULL CHECK (mean_s >= 0 OR scheme = 'occ'),  "maximum_s" REAL NOT NULL,  CHECK ("minimum_s" <= "median_s"),  CHECK ("median_s" <= "maximum_s"),  PRIMARY KEY (environment, "method", "scheme", "ranks", "ranks_per_node", "root", "count", "type_B", "arrival", "noise", "launch", "code")) STRICT, WITHOUT ROWID;
INSERT INTO measurement VALUES(2,1,'occ',8,2,0,8,1,'none','none',0,'none',8,8,30,256,2.5,9.9999999999999995472e-07,1.9999999999999999094e-06,1.9999999999999999094e-06,3.9999999999999998188e-06);
INSERT INTO measurement VALUES(2,2,'occ',8,2,0,8,1,'none','none',0,'none',8,8,30,0,0.0,9.9999999999999995472e-07,1.9999999999999999094e-06,1.9999999999999999094e-06,3.9999999999999998188e-06);
INSERT INTO measurement VALUES(4,1,'occ',4,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,9.7974028903999996389e-05,9.7974028903999996389e-05,9.7974028903999996389e-05,9.7974028903999996389e-05);
INSERT INTO measurement VALUES(4,1,'occ',4,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00035875425601299999875,0.00035875425601299999875,0.00035875425601299999875,0.00035875425601299999875);
INSERT INTO measurement VALUES(4,1,'occ',4,1,0,1024,1,'uniform/2ms/seed=1','exponential/10us/seed=1',0,'none',1024,1024,1,0,0.0,0.00018232171350999998955,0.00018232171350999998955,0.00018232171350999998955,0.00018232171350999998955);
INSERT INTO measurement VALUES(4,1,'occ',4,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.01680396795199999918,0.01680396795199999918,0.01680396795199999918,0.01680396795199999918);
INSERT INTO measurement VALUES(4,1,'occ',8,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,0.0001037521433320000015,0.0001037521433320000015,0.0001037521433320000015,0.0001037521433320000015);
INSERT INTO measurement VALUES(4,1,'occ',8,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00071223933991899999323,0.00071223933991899999323,0.00071223933991899999323,0.00071223933991899999323);
INSERT INTO measurement VALUES(4,1,'occ',8,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.039084404630599998975,0.039084404630599998975,0.039084404630599998975,0.039084404630599998975);
INSERT INTO measurement VALUES(4,2,'occ',4,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,0.00019016994338000000122,0.00019016994338000000122,0.00019016994338000000122,0.00019016994338000000122);
INSERT INTO measurement VALUES(4,2,'occ',4,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00036402342811899998913,0.00036402342811899998913,0.00036402342811899998913,0.00036402342811899998913);
INSERT INTO measurement VALUES(4,2,'occ',4,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.011327499225400000301,0.011327499225400000301,0.011327499225400000301,0.011327499225400000301);
INSERT INTO measurement VALUES(4,2,'occ',8,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,0.00028525491507000000183,0.00028525491507000000183,0.00028525491507000000183,0.00028525491507000000183);
INSERT INTO measurement VALUES(4,2,'occ',8,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00054603514217899996353,0.00054603514217899996353,0.00054603514217899996353,0.00054603514217899996353);
INSERT INTO measurement VALUES(4,2,'occ',8,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.016991248838199999454,0.016991248838199999454,0.016991248838199999454,0.016991248838199999454);
INSERT INTO measurement VALUES(4,3,'occ',4,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,9.7974028903999996389e-05,9.7974028903999996389e-05,9.7974028903999996389e-05,9.7974028903999996389e-05);
INSERT INTO measurement VALUES(4,3,'occ',4,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00035875425601299999875,0.00035875425601299999875,0.00035875425601299999875,0.00035875425601299999875);
INSERT INTO measurement VALUES(4,3,'occ',4,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.016832518656900000847,0.016832518656900000847,0.016832518656900000847,0.016832518656900000847);
INSERT INTO measurement VALUES(4,3,'occ',8,1,0,1,1,'none','none',0,'none',1,1,1,0,0.0,0.00019305900059400001055,0.00019305900059400001055,0.00019305900059400001055,0.00019305900059400001055);
INSERT INTO measurement VALUES(4,3,'occ',8,1,0,1024,1,'none','none',0,'none',1024,1024,1,0,0.0,0.00054076597007199995927,0.00054076597007199995927,0.00054076597007199995927,0.00054076597007199995927);
INSERT INTO measurement VALUES(4,3,'occ',8,1,0,65536,1,'none','none',0,'none',65536,65536,1,0,0.0,0.022505785171199998995,0.022505785171199998995,0.022505785171199998995,0.022505785171199998995);
INSERT INTO measurement VALUES(4,4,'occ',4,1,0,0,1,'none','none',0,'none',0,0,1,0,0.0,0.00018999999883799998951,0.00018999999883799998951,0.00018999999883799998951,0.00018999999883799998951);
INSERT INTO measurement VALUES(4,4,'occ',8,1,0,0,1,'none','none',0,'none',0,0,1,0,0.0,0.00028499999825699998427,0.00028499999825699998427,0.00028499999825699998427,0.00028499999825699998427);
CREATE TABLE group_build (  environment INTEGER NOT NULL REFERENCES environment (id),  "builder" TEXT NOT NULL CHECK ("builder" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "branching" INTEGER NOT NULL CHECK ("branching" >= 2),  "fraction" REAL NOT NULL CHECK ("fraction" BETWEEN 0 AND 1),  "exact" INTEGER NOT NULL CHECK ("exact" IN (0, 1)),  "seed" INTEGER NOT NULL CHECK ("seed" >= 0),  "colours" INTEGER NOT NULL CHECK ("colours" >= 1),  "node_ranks" INTEGER NOT NULL CHECK ("node_ranks" >= 1),  "repetitions" INTEGER NOT NULL CHECK ("repetitions" >= 0),  "minimum_s" REAL CHECK ("minimum_s" >= 0),  "median_s" REAL CHECK ("median_s" >= 0),  "mean_s" REAL CHECK ("mean_s" >= 0),  "maximum_s" REAL CHECK ("maximum_s" >= 0),  "start" INTEGER NOT NULL CHECK ("start" >= 0),  "upward" INTEGER NOT NULL CHECK ("upward" >= 0),  "relocation" INTEGER NOT NULL CHECK ("relocation" >= 0),  "downward" INTEGER NOT NULL CHECK ("downward" >= 0),  "balance" INTEGER NOT NULL CHECK ("balance" >= 0),  "hash" INTEGER NOT NULL CHECK ("hash" >= 0),  "scan" INTEGER NOT NULL CHECK ("scan" >= 0),  "reduction" INTEGER NOT NULL CHECK ("reduction" >= 0),  "finish" INTEGER NOT NULL CHECK ("finish" >= 0),  "lookup" INTEGER NOT NULL CHECK ("lookup" >= 0),  "sent_B" INTEGER NOT NULL CHECK ("sent_B" >= 0),  "members" INTEGER NOT NULL CHECK ("members" >= 0),  "groups" INTEGER NOT NULL CHECK ("groups" >= 0),  "fingerprint" TEXT NOT NULL CHECK (length("fingerprint") = 16),  "size" INTEGER NOT NULL CHECK ("size" >= 0),  "height" INTEGER NOT NULL CHECK ("height" >= 0),  "degree" INTEGER NOT NULL CHECK ("degree" >= 0),  "critical_path" INTEGER NOT NULL CHECK ("critical_path" >= 0),  "largest_message_B" INTEGER NOT NULL CHECK ("largest_message_B" >= 0),  "memory_B" INTEGER NOT NULL CHECK ("memory_B" >= 0),  "endpoint_B" INTEGER NOT NULL CHECK ("endpoint_B" >= 0),  "messages" INTEGER NOT NULL AS (upward + relocation + downward + balance + hash + scan),  CHECK ("minimum_s" <= "median_s"),  CHECK ((repetitions = 0) = ("minimum_s" IS NULL)),  CHECK ("median_s" <= "maximum_s"),  CHECK ((repetitions = 0) = ("median_s" IS NULL)),  CHECK ((repetitions = 0) = ("mean_s" IS NULL)),  CHECK ((repetitions = 0) = ("maximum_s" IS NULL)),  CHECK ("members" <= "ranks"),  CHECK ("groups" <= "colours"),  CHECK ("size" <= "members"),  PRIMARY KEY (environment, "builder", "ranks", "ranks_per_node", "branching", "fraction", "exact", "seed", "colours", "node_ranks")) STRICT, WITHOUT ROWID;
INSERT INTO group_build VALUES(4,'chain',16,1,3,0.3125,1,1,1,1,1,0.0010115199875099999907,0.0010115199875099999907,0.0010115199875099999907,0.0010115199875099999907,15,0,0,0,0,0,114,4,16,0,4500,5,1,'4306bdea1f0bf22b',5,3,3,10,32,528,1748);
INSERT INTO group_build VALUES(5,'centralized',16,1,3,0.29999999999999998889,0,1,1,1,0,NULL,NULL,NULL,NULL,15,15,0,4,0,0,0,3,16,0,1176,4,1,'656317512ca3ba11',4,2,3,8,40,444,0);
INSERT INTO group_build VALUES(5,'shrink-hash/no-filler',16,1,3,0.29999999999999998889,0,1,1,1,0,NULL,NULL,NULL,NULL,15,15,0,7,0,11,0,3,16,0,1572,4,1,'656317512ca3ba11',4,2,3,12,40,508,0);
CREATE TABLE parameter (  environment INTEGER NOT NULL REFERENCES environment (id),  "quantity" TEXT NOT NULL CHECK ("quantity" <> ''),  "of" TEXT NOT NULL,  "message_B" INTEGER NOT NULL CHECK ("message_B" >= 0),  "value_s" REAL CHECK ("value_s" >= 0),  "value_s_per_B" REAL CHECK ("value_s_per_B" >= 0) CHECK ((value_s IS NULL) <> (value_s_per_B IS NULL)),  PRIMARY KEY (environment, "quantity", "of", "message_B")) STRICT, WITHOUT ROWID;
INSERT INTO parameter VALUES(4,'delta','',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','max/double',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','max/float',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','max/int',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','prod/double',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','prod/float',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','prod/int',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','sum/double',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','sum/float',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gamma','sum/int',1048576,NULL,1.0000000000000000622e-09);
INSERT INTO parameter VALUES(4,'gap','',0,1.3595580110599999136e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',1,1.4445303867500000317e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',2,1.5295027624399999379e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',4,1.6994475138300000334e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',8,2.0393370165900000822e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',16,2.7191160221199998272e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',32,4.0786740331800001644e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',64,6.7977900551900000579e-06,NULL);
INSERT INTO parameter VALUES(4,'gap','',128,1.2236022099400000346e-05,NULL);
INSERT INTO parameter VALUES(4,'gap','',256,2.3112486187799999087e-05,NULL);
INSERT INTO parameter VALUES(4,'gap','',512,4.4865414364499999247e-05,NULL);
INSERT INTO parameter VALUES(4,'gap','',1024,8.8371270718000003666e-05,NULL);
INSERT INTO parameter VALUES(4,'gap','',2048,0.0001753829834250000125,NULL);
INSERT INTO parameter VALUES(4,'gap','',4096,0.00034940640883900000307,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',0,9.5000000010999995211e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',1,9.50849723866999954e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',2,9.5169944762399995589e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',3,9.5254917138099995778e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',4,9.5339889513799995967e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',5,9.5424861889499996156e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',6,9.5509834265199996345e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',7,9.5594806640899996534e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',8,9.5679779016599996723e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',13,9.6104640894999993575e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',16,9.6359558022099994142e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',19,9.661447514919999471e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',29,9.7464198906100006046e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',32,9.771911603310000252e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',35,9.7974033160200003087e-05,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',61,0.00010018331492800000516,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',64,0.00010043823205500000163,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',67,0.0001006931491819999981,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',125,0.00010562154697199999803,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',128,0.0001058764640989999945,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',131,0.00010613138122600000452,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',253,0.00011649801106099999764,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',256,0.00011675292818799999411,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',259,0.00011700784531500000413,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',509,0.00013825093923699999622,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',512,0.00013850585636499999301,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',515,0.00013876077349200000303,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',1021,0.00018175679559099999402,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',1024,0.00018201171271800000404,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',1027,0.00018226662984499998696,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',2045,0.00026876850829800000286,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',2048,0.00026902342542499998578,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',2051,0.0002692783425520000229,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',4093,0.00044279193371200002054,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',4096,0.00044304685083900000345,NULL);
INSERT INTO parameter VALUES(4,'half-trip','',4099,0.00044330176796599998637,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',0,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',1,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',2,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',4,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',8,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',16,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',32,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',64,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',128,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',256,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',512,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',1024,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',2048,0.0,NULL);
INSERT INTO parameter VALUES(4,'receive-overhead','',4096,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',0,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',1,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',2,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',4,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',8,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',16,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',32,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',64,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',128,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',256,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',512,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',1024,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',2048,0.0,NULL);
INSERT INTO parameter VALUES(4,'send-overhead','',4096,0.0,NULL);
CREATE TABLE sort_run (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "algorithm" TEXT NOT NULL CHECK ("algorithm" <> ''),  "layer" TEXT NOT NULL CHECK ("layer" <> ''),  "order" TEXT NOT NULL CHECK ("order" <> ''),  "assignment" TEXT NOT NULL CHECK ("assignment" <> ''),  "distribution" TEXT NOT NULL CHECK ("distribution" <> ''),  "type" TEXT NOT NULL CHECK ("type" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "count" INTEGER NOT NULL CHECK ("count" >= 0),  "seed" INTEGER NOT NULL CHECK ("seed" >= 0),  "elements" INTEGER NOT NULL CHECK ("elements" >= 0),  "repetitions" INTEGER NOT NULL CHECK ("repetitions" >= 1),  "minimum_s" REAL NOT NULL CHECK ("minimum_s" >= 0),  "median_s" REAL NOT NULL CHECK ("median_s" >= 0),  "mean_s" REAL NOT NULL CHECK ("mean_s" >= 0),  "maximum_s" REAL NOT NULL CHECK ("maximum_s" >= 0),  "levels" INTEGER NOT NULL CHECK ("levels" >= 0),  "janus_levels" INTEGER NOT NULL CHECK ("janus_levels" >= 0),  "groups" INTEGER NOT NULL CHECK ("groups" >= 0),  "messages" INTEGER NOT NULL CHECK ("messages" >= 0),  "sent_B" INTEGER NOT NULL CHECK ("sent_B" >= 0),  "most_sent" INTEGER NOT NULL CHECK ("most_sent" >= 0),  "most_received" INTEGER NOT NULL CHECK ("most_received" >= 0),  "least_elements" INTEGER NOT NULL CHECK ("least_elements" >= 0),  "most_elements" INTEGER NOT NULL CHECK ("most_elements" >= 0),  CHECK ("minimum_s" <= "median_s"),  CHECK ("median_s" <= "maximum_s"),  CHECK ("janus_levels" <= "levels"),  CHECK ("least_elements" <= "most_elements"),  CHECK ("most_elements" <= "elements"),  PRIMARY KEY (environment, "algorithm", "layer", "order", "assignment", "distribution", "type", "ranks", "count", "seed", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO sort_run VALUES(4,1,'janus','ranges','alternating','greedy','uniform','double',6,3,1,18,1,0.0030982192838599998882,0.0030982192838599998882,0.0030982192838599998882,0.0030982192838599998882,3,1,3,32,368,3,3,3,3);
INSERT INTO sort_run VALUES(4,1,'janus','ranges','alternating','greedy','uniform','double',8,3,1,24,1,0.0030345993327500001002,0.0030345993327500001002,0.0030345993327500001002,0.0030345993327500001002,3,1,3,39,488,3,2,3,3);
INSERT INTO sort_run VALUES(4,1,'sample','-','-','-','uniform','double',6,3,1,18,1,0.00089671154637500005354,0.00089671154637500005354,0.00089671154637500005354,0.00089671154637500005354,1,0,0,12,96,3,3,3,3);
INSERT INTO sort_run VALUES(4,1,'sample','-','-','-','uniform','double',8,3,1,24,1,0.0011347109466400000406,0.0011347109466400000406,0.0011347109466400000406,0.0011347109466400000406,1,0,0,17,144,3,3,3,3);
CREATE TABLE range_run (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "operation" TEXT NOT NULL CHECK ("operation" <> ''),  "way" TEXT NOT NULL CHECK ("way" <> ''),  "order" TEXT NOT NULL CHECK ("order" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "size" INTEGER NOT NULL CHECK ("size" >= 1),  "count" INTEGER NOT NULL CHECK ("count" >= 0),  "type_B" INTEGER NOT NULL CHECK ("type_B" >= 1),  "uses" INTEGER NOT NULL CHECK ("uses" >= 0),  "repetitions" INTEGER NOT NULL CHECK ("repetitions" >= 1),  "minimum_s" REAL NOT NULL CHECK ("minimum_s" >= 0),  "median_s" REAL NOT NULL CHECK ("median_s" >= 0),  "mean_s" REAL NOT NULL CHECK ("mean_s" >= 0),  "maximum_s" REAL NOT NULL CHECK ("maximum_s" >= 0),  CHECK ("size" <= "ranks"),  CHECK ("minimum_s" <= "median_s"),  CHECK ("median_s" <= "maximum_s"),  PRIMARY KEY (environment, "operation", "way", "order", "ranks", "size", "count", "type_B", "uses", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO range_run VALUES(4,1,'create','ranges','-',8,4,0,8,0,1,2.5000190362299999507e-08,2.5000190362299999507e-08,2.5000190362299999507e-08,2.5000190362299999507e-08);
INSERT INTO range_run VALUES(4,1,'create','split','-',8,4,0,8,0,1,0.00050015184751800001016,0.00050015184751800001016,0.00050015184751800001016,0.00050015184751800001016);
CREATE TABLE group_map (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "group" TEXT NOT NULL CHECK ("group" <> ''),  "kind" TEXT NOT NULL CHECK ("kind" <> ''),  "strategy" TEXT NOT NULL CHECK ("strategy" <> ''),  "world" INTEGER NOT NULL CHECK ("world" >= 1),  "members" INTEGER NOT NULL CHECK ("members" >= 0),  "map_B" INTEGER NOT NULL CHECK ("map_B" >= 1),  "create_s" REAL NOT NULL CHECK ("create_s" >= 0),  "select_all_s" REAL NOT NULL CHECK ("select_all_s" >= 0),  "select_one_s" REAL NOT NULL CHECK ("select_one_s" >= 0),  "rank_one_s" REAL NOT NULL CHECK ("rank_one_s" >= 0),  "array_select_all_s" REAL NOT NULL CHECK ("array_select_all_s" >= 0),  "array_select_one_s" REAL NOT NULL CHECK ("array_select_one_s" >= 0),  CHECK ("members" <= "world"),  PRIMARY KEY (environment, "group", "kind", "strategy", "world", "members", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO group_map VALUES(3,1,'contiguous','array','-',1048576,10000,40024,4.23439999999997152e-05,1.1850000000007687717e-06,2.9652000000000670605e-09,9.1606999999999967898e-08,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'contiguous','range','-',1048576,10000,32,6.1083999999999444296e-05,3.6399999999991994314e-06,2.0422500000000579588e-09,7.3679999999999580126e-09,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'contiguous','range','hybrid',1048576,10000,32,6.1083999999999444296e-05,3.6399999999991994314e-06,2.0422500000000579588e-09,7.3679999999999580126e-09,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'contiguous','range','least-space',1048576,10000,32,6.1083999999999444296e-05,3.6399999999991994314e-06,2.0422500000000579588e-09,7.3679999999999580126e-09,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'contiguous','range','least-time',1048576,10000,32,6.1083999999999444296e-05,3.6399999999991994314e-06,2.0422500000000579588e-09,7.3679999999999580126e-09,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'contiguous','roaring','-',1048576,10000,105,0.0001602859999999539653,9.2259999999733111053e-06,8.701250000003879389e-09,9.6725500000005563416e-09,1.1850000000007687717e-06,2.9652000000000670605e-09);
INSERT INTO group_map VALUES(3,1,'stride','array','-',1048576,9999,40020,4.7083999999975034711e-05,1.3110000000038368739e-06,3.4206000000036594014e-09,1.0381085000000234335e-07,1.3110000000038368739e-06,3.4206000000036594014e-09);
INSERT INTO group_map VALUES(3,1,'stride','array','least-time',1048576,9999,40020,4.7083999999975034711e-05,1.3110000000038368739e-06,3.4206000000036594014e-09,1.0381085000000234335e-07,1.3110000000038368739e-06,3.4206000000036594014e-09);
INSERT INTO group_map VALUES(3,1,'stride','roaring','-',1048576,9999,8291,0.00012930099999985955605,1.2097000000155233578e-05,5.7836689999999358236e-07,6.0895719999999319955e-07,1.3110000000038368739e-06,3.4206000000036594014e-09);
CREATE TABLE decision_penalty (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "decision" TEXT NOT NULL CHECK ("decision" <> ''),  "collective" TEXT NOT NULL CHECK ("collective" <> ''),  "basis" TEXT NOT NULL CHECK ("basis" <> ''),  "root" INTEGER NOT NULL CHECK ("root" >= 0),  "points" INTEGER NOT NULL CHECK ("points" >= 1),  "served" INTEGER NOT NULL CHECK ("served" >= 1),  "minimum_percent" REAL NOT NULL,  "mean_percent" REAL NOT NULL,  "median_percent" REAL NOT NULL,  "maximum_percent" REAL NOT NULL,  "decide_s" REAL NOT NULL CHECK ("decide_s" >= 0),  "leaves" INTEGER NOT NULL CHECK ("leaves" >= 0),  "nodes" INTEGER NOT NULL CHECK ("nodes" >= 0),  "depth_least" INTEGER NOT NULL CHECK ("depth_least" >= 0),  "depth_mean" REAL NOT NULL,  "depth_most" INTEGER NOT NULL CHECK ("depth_most" >= 0),  CHECK ("points" <= "served"),  CHECK ("minimum_percent" <= "median_percent"),  CHECK ("median_percent" <= "maximum_percent"),  CHECK ("leaves" <= "nodes"),  CHECK ("depth_least" <= "depth_most"),  PRIMARY KEY (environment, "decision", "collective", "basis", "root", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO decision_penalty VALUES(4,1,'linear','bcast','occ',0,6,6,0.0,35.013782340869319398,15.854674603892819461,130.02667433561336451,8.0000669792449717173e-09,0,0,0,0.0,0);
CREATE TABLE comparison (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "before" TEXT NOT NULL CHECK ("before" <> ''),  "after" TEXT NOT NULL CHECK ("after" <> ''),  "collective" TEXT NOT NULL CHECK ("collective" <> ''),  "scheme" TEXT NOT NULL CHECK ("scheme" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "root" INTEGER NOT NULL CHECK ("root" >= 0),  "size_B" INTEGER NOT NULL CHECK ("size_B" >= 0),  "round" INTEGER NOT NULL CHECK ("round" >= 1),  "first" TEXT NOT NULL CHECK ("first" <> ''),  "before_median_s" REAL NOT NULL CHECK ("before_median_s" >= 0),  "after_median_s" REAL NOT NULL CHECK ("after_median_s" >= 0),  PRIMARY KEY (environment, "before", "after", "collective", "scheme", "ranks", "root", "size_B", "round", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO comparison VALUES(2,4,'untuned','0123456789abcdef0123456789abcdef','bcast','occ',4,0,1024,1,'after',1.2500000000000001021e-06,1.5000000000000000379e-06);
INSERT INTO comparison VALUES(2,4,'untuned','0123456789abcdef0123456789abcdef','bcast','occ',4,0,1024,2,'before',1.5000000000000000379e-06,1.2500000000000001021e-06);
CREATE TABLE launch (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "date" TEXT NOT NULL CHECK ("date" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "hosts" TEXT NOT NULL CHECK ("hosts" <> ''),  "binding" TEXT NOT NULL CHECK ("binding" <> ''),  "load" REAL NOT NULL,  "end_date" TEXT NOT NULL CHECK ("end_date" <> ''),  "end_load" REAL NOT NULL,  "rows" INTEGER NOT NULL CHECK ("rows" >= 0),  PRIMARY KEY (environment, "date", "ranks", "ranks_per_node")) STRICT, WITHOUT ROWID;
CREATE TABLE program (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "program" TEXT NOT NULL CHECK ("program" <> ''),  "ranks" INTEGER NOT NULL CHECK ("ranks" >= 1),  "elapsed_s" REAL NOT NULL CHECK ("elapsed_s" >= 0),  "collectives_s" REAL NOT NULL CHECK ("collectives_s" >= 0),  "calls" INTEGER NOT NULL CHECK ("calls" >= 0),  "left_out" INTEGER NOT NULL CHECK ("left_out" >= 0),  CHECK ("left_out" <= "calls"),  PRIMARY KEY (environment, "program", "ranks", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO program VALUES(1,4,'app',4,0.25,0.5,4400,0);
CREATE TABLE program_call (  environment INTEGER NOT NULL REFERENCES environment (id),  "ranks_per_node" INTEGER NOT NULL CHECK ("ranks_per_node" >= 1),  "program" TEXT NOT NULL CHECK ("program" <> ''),  "site" TEXT NOT NULL CHECK ("site" <> ''),  "communicator" TEXT NOT NULL CHECK ("communicator" <> ''),  "comm_ranks" INTEGER NOT NULL CHECK ("comm_ranks" >= 1),  "comm_nodes" INTEGER NOT NULL CHECK ("comm_nodes" >= 1),  "collective" TEXT NOT NULL CHECK ("collective" <> ''),  "ran" TEXT NOT NULL CHECK ("ran" <> ''),  "size_B" INTEGER NOT NULL CHECK ("size_B" >= 0),  "type" TEXT NOT NULL CHECK ("type" <> ''),  "type_B" INTEGER NOT NULL CHECK ("type_B" >= 0),  "operation" TEXT NOT NULL CHECK ("operation" <> ''),  "root_least" INTEGER NOT NULL CHECK ("root_least" >= 0),  "root_most" INTEGER NOT NULL CHECK ("root_most" >= 0),  "calls" INTEGER NOT NULL CHECK ("calls" >= 1),  "total_s" REAL NOT NULL CHECK ("total_s" >= 0),  "slowest_s" REAL NOT NULL CHECK ("slowest_s" >= 0),  "minimum_s" REAL NOT NULL CHECK ("minimum_s" >= 0),  "maximum_s" REAL NOT NULL CHECK ("maximum_s" >= 0),  "between_s" REAL NOT NULL CHECK ("between_s" >= 0),  "waiting_s" REAL NOT NULL CHECK ("waiting_s" >= 0),  "spread_s" REAL NOT NULL CHECK ("spread_s" >= 0),  "last_rank" INTEGER NOT NULL CHECK ("last_rank" >= 0),  "samples" INTEGER NOT NULL CHECK ("samples" >= 0),  CHECK ("comm_nodes" <= "comm_ranks"),  CHECK ("root_least" <= "root_most"),  CHECK ("slowest_s" <= "total_s"),  CHECK ("minimum_s" <= "maximum_s"),  PRIMARY KEY (environment, "program", "site", "communicator", "comm_ranks", "comm_nodes", "collective", "ran", "size_B", "type", "type_B", "operation", "ranks_per_node")) STRICT, WITHOUT ROWID;
INSERT INTO program_call VALUES(1,4,'app','app+0x128f','MPI_COMM_WORLD',4,1,'allreduce','native',8,'MPI_DOUBLE',8,'sum',0,0,4000,0.375,0.125,9.9999999999999995472e-07,0.0020000000000000000416,0.25,0.125,3.4999999999999996933e-05,0,135);
INSERT INTO program_call VALUES(1,4,'app','app+0x130b','half',2,1,'bcast','bcast/binomial/8KB',32768,'MPI_BYTE',1,'-',0,1,400,0.125,0.0625,3.9999999999999998188e-06,0.0010000000000000000208,0.5,0.0,0.0,0,0);
CREATE VIEW measurements AS
  SELECT t.environment, e.platform, e.flavor, e.library, e.tutti, d.collective, d.name AS method, t.scheme, t.ranks,
    t.ranks_per_node, t.root, t.count, t.type_B, t.rank_B, t.total_B, t.arrival, t.noise, t.code, t.launch,
    t.repetitions, t.calls, t.spread_percent, t.minimum_s, t.median_s, t.mean_s, t.maximum_s
  FROM environment e JOIN measurement t ON t.environment = e.id JOIN method d ON d.id = t.method;
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
CREATE VIEW measurement_counts AS
  SELECT t.environment, 'measurement' AS kind, d.collective, t.scheme, t.ranks_per_node,
    min(t.ranks) = max(t.ranks) AND max(t.ranks) = t.ranks_per_node AS one_node, count(*) AS rows
  FROM measurement t JOIN method d ON d.id = t.method GROUP BY 1, 3, 4, 5;
CREATE VIEW environments AS
  SELECT id AS environment, platform, platform_hash, flavor, library, tutti, build, settings, hosts, cpu, cores, binding,
    (SELECT coalesce(sum(rows), 0) FROM counts c WHERE c.environment = e.id) AS rows
  FROM environment e ORDER BY platform, flavor, library, platform_hash, tutti, id;
CREATE VIEW counts AS SELECT * FROM measurement_counts UNION ALL SELECT environment, 'group_build', NULL, NULL, NULL, NULL, count(*) FROM group_build GROUP BY 1 UNION ALL SELECT environment, 'parameter', NULL, NULL, NULL, NULL, count(*) FROM parameter GROUP BY 1 UNION ALL SELECT environment, 'sort_run', NULL, NULL, NULL, NULL, count(*) FROM sort_run GROUP BY 1 UNION ALL SELECT environment, 'range_run', NULL, NULL, NULL, NULL, count(*) FROM range_run GROUP BY 1 UNION ALL SELECT environment, 'group_map', NULL, NULL, NULL, NULL, count(*) FROM group_map GROUP BY 1 UNION ALL SELECT environment, 'decision_penalty', NULL, NULL, NULL, NULL, count(*) FROM decision_penalty GROUP BY 1 UNION ALL SELECT environment, 'comparison', NULL, NULL, NULL, NULL, count(*) FROM comparison GROUP BY 1 UNION ALL SELECT environment, 'launch', NULL, NULL, NULL, NULL, count(*) FROM launch GROUP BY 1 UNION ALL SELECT environment, 'program', NULL, NULL, NULL, NULL, count(*) FROM program GROUP BY 1 UNION ALL SELECT environment, 'program_call', NULL, NULL, NULL, NULL, count(*) FROM program_call GROUP BY 1;
COMMIT;
PRAGMA application_id = 1416983668;
PRAGMA user_version = 9;
