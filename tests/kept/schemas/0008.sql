BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE bans (
	network VARCHAR(64) NOT NULL, 
	reason TEXT NOT NULL, 
	since FLOAT NOT NULL, 
	until FLOAT, 
	PRIMARY KEY (network)
);
CREATE TABLE bundles (
	id VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	sealed TEXT NOT NULL, 
	used FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "bundles" VALUES('a782aa0582b3132de46fe261cf1dbac17ea2a5788a1b03c6b9455bf8858f49dc',1,'AAAA',1.79483051003412437439e+09);
CREATE TABLE deletions (
	code VARCHAR(8) NOT NULL, 
	at FLOAT NOT NULL, 
	filled INTEGER NOT NULL, 
	PRIMARY KEY (code)
);
CREATE TABLE games (
	code VARCHAR(8) NOT NULL, 
	number INTEGER NOT NULL, 
	first_seq INTEGER NOT NULL, 
	last_seq INTEGER, 
	summary TEXT, 
	PRIMARY KEY (code, number)
)
 WITHOUT ROWID

;
INSERT INTO "games" VALUES('FTRXTKJM',1,1,247,'{"game":1,"players":[{"seat":1,"name":"Ada","colour":"red","bot":null,"ready":true,"stand_in":null,"left":false},{"seat":2,"name":"Tim Tumbleweed","colour":"blue","bot":"random","ready":true,"stand_in":null,"left":false}],"options":{"deck":"classic","layout":"GM/CH","first":"Ada","ties":"later","bonus":"roles","days":1,"dice":"fair"},"standings":[{"type":"Standing","place":1,"name":"Tim Tumbleweed","score":36,"dollars":10,"credits":11,"rank":3,"rank_points":15,"stand_in":null},{"type":"Standing","place":2,"name":"Ada","score":24,"dollars":0,"credits":9,"rank":3,"rank_points":15,"stand_in":null}],"winners":["Tim Tumbleweed"],"finished":1794830509.9469962,"actions":244,"commitment":"81a27c5658f1c25544f517cf0b2dfbbde7ff7865580245b995a75d97f7456630","salts":["6153b91119e4c6d9bbed8c67ea6da468a70929bec1a6a360f2373dbef34b50e7"],"seed":"1b38b5c8683138173876ccc7537764b57ab97eec82d677fd798e6ffde72dbd4a","called_off":false}');
INSERT INTO "games" VALUES('M7HL9CHR',1,1,NULL,NULL);
INSERT INTO "games" VALUES('X33CMXJR',1,1,NULL,NULL);
CREATE TABLE leases (
	code VARCHAR(8) NOT NULL, 
	owner VARCHAR(16) NOT NULL, 
	number BIGINT NOT NULL, 
	PRIMARY KEY (code)
);
CREATE TABLE log (
	code VARCHAR(8) NOT NULL, 
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	"by" INTEGER NOT NULL, 
	command VARCHAR(64) NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (code, seq)
)
 WITHOUT ROWID

;
INSERT INTO "log" VALUES('FTRXTKJM',1,1.79483050737670874591e+09,0,'','{"type":"opened","game":1,"public":true,"options":{"deck":"classic","layout":"standard","first":"random","ties":"later","bonus":"roles","days":1,"dice":"fair"},"seed":"1b38b5c8683138173876ccc7537764b57ab97eec82d677fd798e6ffde72dbd4a","host":1,"chairs":[{"id":1,"name":"Ada","colour":"red","token":"338ec3fe38c67a262e5c74dd9e771b8dcafd7d99029198594c5e9ecbeb038fcb"},{"id":2,"name":"Tim Tumbleweed","colour":"blue","bot":"random"}],"next_chair":3,"left":{},"deck":null,"board":null,"started":false,"house":{"grace":120,"stand_in":"regular","clock":null,"locked":false,"talk":true}}');
INSERT INTO "log" VALUES('FTRXTKJM',2,1.79483050744022846218e+09,1,'fb49bea2-1','{"type":"readied","seat":1,"salt":"6153b91119e4c6d9bbed8c67ea6da468a70929bec1a6a360f2373dbef34b50e7"}');
INSERT INTO "log" VALUES('FTRXTKJM',3,1.79483050745652985571e+09,1,'fb49bea2-2','{"type":"started"}');
INSERT INTO "log" VALUES('FTRXTKJM',4,1.79483050750821256633e+09,1,'fb49bea2-3','{"type":"played","action":"move saloon","outcome":"card 8"}');
INSERT INTO "log" VALUES('FTRXTKJM',5,1.79483050753741788865e+09,1,'fb49bea2-4','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',6,1.79483050873673057558e+09,2,'bot-6','{"type":"played","action":"move hotel","outcome":"card 21"}');
INSERT INTO "log" VALUES('FTRXTKJM',7,1.79483050874525737767e+09,2,'bot-7','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',8,1.79483050874988770478e+09,1,'fb49bea2-5','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',9,1.79483050875507092478e+09,2,'bot-9','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',10,1.79483050876600861551e+09,1,'fb49bea2-6','{"type":"played","action":"act","outcome":"6"}');
INSERT INTO "log" VALUES('FTRXTKJM',11,1.7948305087706365585e+09,2,'bot-11','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',12,1.79483050877535772324e+09,1,'fb49bea2-7','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',13,1.79483050878177213664e+09,2,'bot-13','{"type":"played","action":"act","outcome":"4"}');
INSERT INTO "log" VALUES('FTRXTKJM',14,1.79483050878585410122e+09,1,'fb49bea2-8','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',15,1.79483050879278397565e+09,2,'bot-15','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',16,1794830508.7975,1,'fb49bea2-9','{"type":"played","action":"act","outcome":"4"}');
INSERT INTO "log" VALUES('FTRXTKJM',17,1.79483050880282831189e+09,2,'bot-17','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',18,1.79483050880697798728e+09,1,'fb49bea2-10','{"type":"played","action":"move bank","outcome":"card 31"}');
INSERT INTO "log" VALUES('FTRXTKJM',19,1.79483050881049323085e+09,1,'fb49bea2-11','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',20,1.79483050881713533403e+09,2,'bot-20','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',21,1.79483050882132792475e+09,1,'fb49bea2-12','{"type":"played","action":"move saloon"}');
INSERT INTO "log" VALUES('FTRXTKJM',22,1.79483050882808303837e+09,1,'fb49bea2-13','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',23,1.7948305088375012874e+09,2,'bot-23','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',24,1.79483050884209179879e+09,1,'fb49bea2-14','{"type":"played","action":"move general-store","outcome":"card 29"}');
INSERT INTO "log" VALUES('FTRXTKJM',25,1.79483050884661817555e+09,1,'fb49bea2-15','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',26,1.7948305088576524258e+09,2,'bot-26','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',27,1.79483050886219048496e+09,1,'fb49bea2-16','{"type":"played","action":"move ranch","outcome":"card 33"}');
INSERT INTO "log" VALUES('FTRXTKJM',28,1.79483050886720204349e+09,1,'fb49bea2-17','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',29,1.79483050887319660186e+09,2,'bot-29','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',30,1.79483050887946891786e+09,1,'fb49bea2-18','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',31,1.79483050888594412798e+09,2,'bot-31','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',32,1.79483050889039826396e+09,1,'fb49bea2-19','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',33,1.79483050889534807206e+09,2,'bot-33','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',34,1.79483050889953541754e+09,1,'fb49bea2-20','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',35,1.79483050890415334705e+09,2,'bot-35','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',36,1.79483050890838384625e+09,1,'fb49bea2-21','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',37,1.79483050891261577608e+09,2,'bot-37','{"type":"played","action":"move trailers"}');
INSERT INTO "log" VALUES('FTRXTKJM',38,1.79483050891633105273e+09,2,'bot-38','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',39,1.79483050892070460317e+09,1,'fb49bea2-22','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',40,1.79483050892754864699e+09,2,'bot-40','{"type":"played","action":"move saloon"}');
INSERT INTO "log" VALUES('FTRXTKJM',41,1.79483050893288660046e+09,2,'bot-41','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',42,1.79483050894273424152e+09,1,'fb49bea2-23','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',43,1.79483050894910264013e+09,2,'bot-43','{"type":"played","action":"move main-street","outcome":"card 28"}');
INSERT INTO "log" VALUES('FTRXTKJM',44,1.79483050895465588575e+09,2,'bot-44','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',45,1794830508.96083,1,'fb49bea2-24','{"type":"played","action":"act","outcome":"4"}');
INSERT INTO "log" VALUES('FTRXTKJM',46,1.79483050896639823911e+09,2,'bot-46','{"type":"played","action":"move jail","outcome":"card 25"}');
INSERT INTO "log" VALUES('FTRXTKJM',47,1.79483050897279047971e+09,2,'bot-47','{"type":"played","action":"take star 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',48,1.79483050897776937483e+09,1,'fb49bea2-25','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',49,1.7948305089824640751e+09,2,'bot-49','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',50,1.79483050898706030839e+09,1,'fb49bea2-26','{"type":"played","action":"act","outcome":"4"}');
INSERT INTO "log" VALUES('FTRXTKJM',51,1.79483050899166607858e+09,2,'bot-51','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',52,1.79483050899622654907e+09,1,'fb49bea2-27','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',53,1.79483050900049829479e+09,1,'fb49bea2-28','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',54,1.79483050900857090954e+09,2,'bot-54','{"type":"played","action":"act","outcome":"3 / 6 3 3 3 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',55,1.79483050901322317119e+09,1,'fb49bea2-29','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',56,1.79483050901697158813e+09,1,'fb49bea2-30','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',57,1.7948305090244510174e+09,2,'bot-57','{"type":"played","action":"move general-store"}');
INSERT INTO "log" VALUES('FTRXTKJM',58,1.79483050903567767147e+09,2,'bot-58','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',59,1.79483050904301548e+09,1,'fb49bea2-31','{"type":"played","action":"move church","outcome":"card 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',60,1.79483050904727029798e+09,1,'fb49bea2-32','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',61,1.79483050905328774451e+09,2,'bot-61','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',62,1.79483050905857539174e+09,1,'fb49bea2-33','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',63,1.79483050906826043131e+09,2,'bot-63','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',64,1.79483050907406449319e+09,1,'fb49bea2-34','{"type":"played","action":"act","outcome":"3"}');
INSERT INTO "log" VALUES('FTRXTKJM',65,1.79483050907868123052e+09,2,'bot-65','{"type":"played","action":"act","outcome":"6"}');
INSERT INTO "log" VALUES('FTRXTKJM',66,1.79483050908516764644e+09,1,'fb49bea2-35','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',67,1.79483050909450721739e+09,2,'bot-67','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',68,1.79483050910060667991e+09,1,'fb49bea2-36','{"type":"played","action":"act","outcome":"6"}');
INSERT INTO "log" VALUES('FTRXTKJM',69,1.79483050910659170155e+09,2,'bot-69','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',70,1.79483050911616587633e+09,1,'fb49bea2-37','{"type":"played","action":"act","outcome":"6"}');
INSERT INTO "log" VALUES('FTRXTKJM',71,1794830509.12485,2,'bot-71','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',72,1.79483050913263821601e+09,1,'fb49bea2-38','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',73,1.79483050914065337183e+09,2,'bot-73','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',74,1.79483050915157175062e+09,1,'fb49bea2-39','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',75,1.79483050915971064569e+09,1,'fb49bea2-40','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',76,1.79483050917244195939e+09,2,'bot-76','{"type":"played","action":"move train-station","outcome":"card 13"}');
INSERT INTO "log" VALUES('FTRXTKJM',77,1.7948305091767277718e+09,2,'bot-77','{"type":"played","action":"take extra 2"}');
INSERT INTO "log" VALUES('FTRXTKJM',78,1.79483050918144607542e+09,1,'fb49bea2-41','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',79,1.79483050918630480767e+09,1,'fb49bea2-42','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',80,1.79483050919322967525e+09,2,'bot-80','{"type":"played","action":"act","outcome":"3"}');
INSERT INTO "log" VALUES('FTRXTKJM',81,1.79483050921648573878e+09,1,'fb49bea2-43','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',82,1.79483050922076153759e+09,1,'fb49bea2-44','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',83,1.7948305092254886627e+09,2,'bot-83','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',84,1.79483050923059225083e+09,1,'fb49bea2-45','{"type":"played","action":"move secret-hideout","outcome":"card 26"}');
INSERT INTO "log" VALUES('FTRXTKJM',85,1.79483050923729205126e+09,1,'fb49bea2-46','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',86,1.7948305092422738075e+09,2,'bot-86','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',87,1.79483050924711680417e+09,1,'fb49bea2-47','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',88,1.7948305092511482239e+09,1,'fb49bea2-48','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',89,1.79483050925620198252e+09,2,'bot-89','{"type":"played","action":"act","outcome":"1"}');
INSERT INTO "log" VALUES('FTRXTKJM',90,1.79483050926081156729e+09,1,'fb49bea2-49','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',91,1.79483050926456308362e+09,1,'fb49bea2-50','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',92,1.79483050926897144314e+09,2,'bot-92','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',93,1.79483050927322292326e+09,1,'fb49bea2-51','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',94,1.79483050927694964401e+09,1,'fb49bea2-52','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',95,1.79483050928120708468e+09,2,'bot-95','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',96,1.79483050928541374205e+09,1,'fb49bea2-53','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',97,1.79483050929031634325e+09,2,'bot-97','{"type":"played","action":"move jail"}');
INSERT INTO "log" VALUES('FTRXTKJM',98,1.79483050929465579991e+09,2,'bot-98','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',99,1.79483050929850935931e+09,1,'fb49bea2-54','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',100,1.79483050930266237266e+09,1,'fb49bea2-55','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',101,1.79483050930692148209e+09,2,'bot-101','{"type":"played","action":"move main-street"}');
INSERT INTO "log" VALUES('FTRXTKJM',102,1.79483050931177854541e+09,2,'bot-102','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',103,1.79483050931689953801e+09,1,'fb49bea2-56','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',104,1.79483050932198095325e+09,2,'bot-104','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',105,1.79483050932650494571e+09,1,'fb49bea2-57','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',106,1.79483050933018589015e+09,1,'fb49bea2-58','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',107,1.79483050933467698094e+09,2,'bot-107','{"type":"played","action":"move jail"}');
INSERT INTO "log" VALUES('FTRXTKJM',108,1.79483050933877468112e+09,2,'bot-108','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',109,1.79483050934276151659e+09,1,'fb49bea2-59','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',110,1.79483050934801602362e+09,2,'bot-110','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',111,1794830509.35213,1,'fb49bea2-60','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',112,1.79483050935588550568e+09,1,'fb49bea2-61','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',113,1.79483050936107087136e+09,2,'bot-113','{"type":"played","action":"move general-store"}');
INSERT INTO "log" VALUES('FTRXTKJM',114,1.79483050936574602129e+09,2,'bot-114','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',115,1.79483050937033748631e+09,1,'fb49bea2-62','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',116,1.79483050937413573262e+09,1,'fb49bea2-63','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',117,1.79483050937887024878e+09,2,'bot-117','{"type":"played","action":"move ranch"}');
INSERT INTO "log" VALUES('FTRXTKJM',118,1.79483050938310813903e+09,2,'bot-118','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',119,1.79483050938700771335e+09,1,'fb49bea2-64','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',120,1.79483050939092421537e+09,1,'fb49bea2-65','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',121,1.79483050939539861678e+09,2,'bot-121','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',122,1.79483050939964270589e+09,2,'bot-122','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',123,1.79483050940427780149e+09,1,'fb49bea2-66','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',124,1.79483050940781188012e+09,1,'fb49bea2-67','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',125,1.79483050941205453873e+09,2,'bot-125','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',126,1.79483050941612148282e+09,1,'fb49bea2-68','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',127,1.79483050941957569118e+09,1,'fb49bea2-69','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',128,1794830509.4238,2,'bot-128','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',129,1.79483050942844486229e+09,1,'fb49bea2-70','{"type":"played","action":"move saloon"}');
INSERT INTO "log" VALUES('FTRXTKJM',130,1.79483050943368411056e+09,1,'fb49bea2-71','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',131,1.79483050944506239889e+09,2,'bot-131','{"type":"played","action":"move saloon"}');
INSERT INTO "log" VALUES('FTRXTKJM',132,1.79483050945624232294e+09,2,'bot-132','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',133,1.79483050946500754356e+09,1,'fb49bea2-72','{"type":"played","action":"move general-store"}');
INSERT INTO "log" VALUES('FTRXTKJM',134,1.79483050946903419497e+09,1,'fb49bea2-73','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',135,1.79483050947359800341e+09,2,'bot-135','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',136,1.79483050947865390781e+09,2,'bot-136','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',137,1.79483050948380947115e+09,1,'fb49bea2-74','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',138,1.79483050948860168452e+09,2,'bot-138','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',139,1.79483050949668622017e+09,2,'bot-139','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',140,1.79483050950131773956e+09,1,'fb49bea2-75','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',141,1.79483050950588202479e+09,2,'bot-141','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',142,1.79483050950977516169e+09,2,'bot-142','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',143,1.79483050951674556728e+09,1,'fb49bea2-76','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',144,1.79483050952091693873e+09,2,'bot-144','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',145,1.79483050952483439441e+09,1,'fb49bea2-77','{"type":"played","action":"move ranch"}');
INSERT INTO "log" VALUES('FTRXTKJM',146,1.79483050952840590477e+09,1,'fb49bea2-78','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',147,1.79483050953644466402e+09,2,'bot-147','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',148,1.79483050954122400283e+09,2,'bot-148','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',149,1.79483050954609346392e+09,1,'fb49bea2-79','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',150,1.79483050955011248588e+09,1,'fb49bea2-80','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',151,1.79483050955464506145e+09,2,'bot-151','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',152,1.79483050955859780315e+09,2,'bot-152','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',153,1.79483050956265115737e+09,1,'fb49bea2-81','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',154,1.79483050956643843646e+09,1,'fb49bea2-82','{"type":"played","action":"upgrade 2 dollars"}');
INSERT INTO "log" VALUES('FTRXTKJM',155,1.79483050957000088692e+09,1,'fb49bea2-83','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',156,1.79483050957438898089e+09,2,'bot-156','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',157,1.79483050958249616625e+09,1,'fb49bea2-84','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',158,1.79483050958836913113e+09,1,'fb49bea2-85','{"type":"played","action":"take extra 2"}');
INSERT INTO "log" VALUES('FTRXTKJM',159,1.79483050959294986722e+09,2,'bot-159','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',160,1.79483050959685039521e+09,2,'bot-160','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',161,1.7948305096007754803e+09,1,'fb49bea2-86','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',162,1.79483050960511112217e+09,2,'bot-162','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',163,1.79483050960922455789e+09,2,'bot-163','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',164,1.79483050961333322529e+09,1,'fb49bea2-87','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',165,1.794830509617528677e+09,2,'bot-165','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',166,1.79483050962126827244e+09,1,'fb49bea2-88','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',167,1.79483050962524199483e+09,2,'bot-167','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',168,1.79483050962919235236e+09,1,'fb49bea2-89','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',169,1.79483050963348698611e+09,2,'bot-169','{"type":"played","action":"act","outcome":"2"}');
INSERT INTO "log" VALUES('FTRXTKJM',170,1.7948305096372404099e+09,1,'fb49bea2-90','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',171,1.79483050964119553562e+09,2,'bot-171','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',172,1.79483050964509296409e+09,1,'fb49bea2-91','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',173,1794830509.64905,2,'bot-173','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',174,1.79483050965280318267e+09,1,'fb49bea2-92','{"type":"played","action":"act","outcome":"4"}');
INSERT INTO "log" VALUES('FTRXTKJM',175,1.79483050965677762029e+09,2,'bot-175','{"type":"played","action":"rehearse"}');
INSERT INTO "log" VALUES('FTRXTKJM',176,1.79483050966053485873e+09,1,'fb49bea2-93','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('FTRXTKJM',177,1.79483050966461706162e+09,2,'bot-177','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',178,1.7948305096684939861e+09,2,'bot-178','{"type":"played","action":"upgrade 3 dollars"}');
INSERT INTO "log" VALUES('FTRXTKJM',179,1.79483050967215657231e+09,2,'bot-179','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',180,1.79483050967605185506e+09,1,'fb49bea2-94','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',181,1.79483050967985963827e+09,2,'bot-181','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',182,1.79483050968400859826e+09,1,'fb49bea2-95','{"type":"played","action":"move ranch"}');
INSERT INTO "log" VALUES('FTRXTKJM',183,1.79483050968806791304e+09,1,'fb49bea2-96','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',184,1.79483050969220018383e+09,2,'bot-184','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',185,1.79483050969657349587e+09,2,'bot-185','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',186,1.79483050970107340816e+09,1,'fb49bea2-97','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',187,1.79483050970536541935e+09,1,'fb49bea2-98','{"type":"played","action":"upgrade 3 dollars"}');
INSERT INTO "log" VALUES('FTRXTKJM',188,1.79483050970928716657e+09,1,'fb49bea2-99','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',189,1.79483050971416664125e+09,2,'bot-189','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',190,1.79483050971855902667e+09,2,'bot-190','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',191,1.79483050972304463387e+09,1,'fb49bea2-100','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',192,1.79483050972750210767e+09,2,'bot-192','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',193,1.79483050973276519772e+09,2,'bot-193','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',194,1794830509.73683,1,'fb49bea2-101','{"type":"played","action":"move ranch"}');
INSERT INTO "log" VALUES('FTRXTKJM',195,1.79483050974030804635e+09,1,'fb49bea2-102','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',196,1.79483050974579405783e+09,2,'bot-196','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',197,1.79483050974973201751e+09,2,'bot-197','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',198,1794830509.7538,1,'fb49bea2-103','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',199,1.79483050975778698921e+09,1,'fb49bea2-104','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',200,1.79483050976180982588e+09,2,'bot-200','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',201,1.79483050976550555233e+09,2,'bot-201','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',202,1.79483050976944756506e+09,1,'fb49bea2-105','{"type":"played","action":"move ranch"}');
INSERT INTO "log" VALUES('FTRXTKJM',203,1.79483050977297210696e+09,1,'fb49bea2-106','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',204,1.79483050977703046799e+09,2,'bot-204','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',205,1.79483050978079843517e+09,2,'bot-205','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',206,1.7948305097847297192e+09,1,'fb49bea2-107','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',207,1.79483050978944230074e+09,2,'bot-207','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',208,1.79483050979329180718e+09,1,'fb49bea2-108','{"type":"played","action":"move general-store"}');
INSERT INTO "log" VALUES('FTRXTKJM',209,1.79483050979678559304e+09,1,'fb49bea2-109','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',210,1.79483050980069756504e+09,2,'bot-210','{"type":"played","action":"move secret-hideout"}');
INSERT INTO "log" VALUES('FTRXTKJM',211,1.79483050980445837975e+09,2,'bot-211','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',212,1.79483050980838775628e+09,1,'fb49bea2-110','{"type":"played","action":"move jail"}');
INSERT INTO "log" VALUES('FTRXTKJM',213,1.79483050981212401394e+09,1,'fb49bea2-111','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',214,1.79483050981611919408e+09,2,'bot-214','{"type":"played","action":"move church"}');
INSERT INTO "log" VALUES('FTRXTKJM',215,1.79483050982014536852e+09,2,'bot-215','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',216,1.79483050982444930073e+09,1,'fb49bea2-112','{"type":"played","action":"move train-station"}');
INSERT INTO "log" VALUES('FTRXTKJM',217,1.7948305098282535076e+09,1,'fb49bea2-113','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',218,1.7948305098325972557e+09,2,'bot-218','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',219,1.79483050983661651615e+09,2,'bot-219','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',220,1.79483050984060645101e+09,1,'fb49bea2-114','{"type":"played","action":"move jail"}');
INSERT INTO "log" VALUES('FTRXTKJM',221,1.794830509844165802e+09,1,'fb49bea2-115','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',222,1.79483050984816026691e+09,2,'bot-222','{"type":"played","action":"move trailers"}');
INSERT INTO "log" VALUES('FTRXTKJM',223,1.79483050985193943972e+09,2,'bot-223','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',224,1.79483050985600543023e+09,1,'fb49bea2-116','{"type":"played","action":"move train-station"}');
INSERT INTO "log" VALUES('FTRXTKJM',225,1.7948305098597152233e+09,1,'fb49bea2-117','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',226,1.79483050986378169064e+09,2,'bot-226','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',227,1.79483050986771631237e+09,1,'fb49bea2-118','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',228,1.79483050987166643146e+09,2,'bot-228','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',229,1.79483050987564873692e+09,2,'bot-229','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',230,1.7948305098795967102e+09,1,'fb49bea2-119','{"type":"played","action":"move jail"}');
INSERT INTO "log" VALUES('FTRXTKJM',231,1.7948305098831584454e+09,1,'fb49bea2-120','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',232,1.79483050988715219496e+09,2,'bot-232','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',233,1.79483050989121413225e+09,1,'fb49bea2-121','{"type":"played","action":"move general-store"}');
INSERT INTO "log" VALUES('FTRXTKJM',234,1.79483050989488458629e+09,1,'fb49bea2-122','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',235,1.79483050989908647534e+09,2,'bot-235','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',236,1.79483050990305304525e+09,2,'bot-236','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',237,1.79483050990721106532e+09,1,'fb49bea2-123','{"type":"played","action":"move train-station"}');
INSERT INTO "log" VALUES('FTRXTKJM',238,1.7948305099113781452e+09,1,'fb49bea2-124','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',239,1.79483050991577672956e+09,2,'bot-239','{"type":"played","action":"move hotel"}');
INSERT INTO "log" VALUES('FTRXTKJM',240,1.79483050991961336131e+09,2,'bot-240','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',241,1.7948305099236235619e+09,1,'fb49bea2-125','{"type":"played","action":"move casting-office"}');
INSERT INTO "log" VALUES('FTRXTKJM',242,1.79483050992713284495e+09,1,'fb49bea2-126','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',243,1794830509.93096,2,'bot-243','{"type":"played","action":"move bank"}');
INSERT INTO "log" VALUES('FTRXTKJM',244,1.79483050993469047543e+09,2,'bot-244','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('FTRXTKJM',245,1.79483050993875336643e+09,1,'fb49bea2-127','{"type":"played","action":"move train-station"}');
INSERT INTO "log" VALUES('FTRXTKJM',246,1.79483050994279074667e+09,1,'fb49bea2-128','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('FTRXTKJM',247,1.79483050994699621198e+09,2,'bot-247','{"type":"played","action":"act","outcome":"5"}');
INSERT INTO "log" VALUES('M7HL9CHR',1,1.79483050995584464066e+09,0,'','{"type":"opened","game":1,"public":false,"options":{"deck":"classic","layout":"standard","first":"random","ties":"later","bonus":"roles","days":null,"dice":"fair"},"seed":"e272fb0dbb0f9eb1b2b8431095e9e851cb617d6edfd633c7abe1f30ff15cd253","host":1,"chairs":[{"id":1,"name":"Ada","colour":"red","token":"338ec3fe38c67a262e5c74dd9e771b8dcafd7d99029198594c5e9ecbeb038fcb"}],"next_chair":2,"left":{},"deck":null,"board":null,"started":false,"house":{"grace":120,"stand_in":"regular","clock":86400,"locked":false,"talk":true}}');
INSERT INTO "log" VALUES('M7HL9CHR',2,1.79483050996493124964e+09,2,'1cd3e243-1','{"type":"sat","chair":{"id":2,"name":"Bo","colour":"blue","token":"54a15cca6b118e1caf276305607abcd6a338b7565bebe3b79a2933abc30057b7"}}');
INSERT INTO "log" VALUES('M7HL9CHR',3,1.79483050996957278254e+09,1,'1cd3e243-2','{"type":"chosen","options":{"deck":"classic","layout":"standard","first":"Bo","ties":"later","bonus":"roles","days":null,"dice":"fair"}}');
INSERT INTO "log" VALUES('M7HL9CHR',4,1.79483050997342491149e+09,1,'1cd3e243-3','{"type":"readied","seat":1,"salt":"3729acf150617bd5c7b2d7a7d45a29f7677b6a04738e059aca30ee037fba47f1"}');
INSERT INTO "log" VALUES('M7HL9CHR',5,1.79483050997720575332e+09,2,'1cd3e243-4','{"type":"readied","seat":2,"salt":"3def747e2c0d001f27d5c433b20e438a594e5c6025ea324c3d8cf9becfdb3a03"}');
INSERT INTO "log" VALUES('M7HL9CHR',6,1.7948305099814388752e+09,1,'1cd3e243-5','{"type":"started"}');
INSERT INTO "log" VALUES('M7HL9CHR',7,1.79483050998631739618e+09,2,'1cd3e243-6','{"type":"played","action":"move main-street","outcome":"card 3"}');
INSERT INTO "log" VALUES('M7HL9CHR',8,1.79483050999071502688e+09,2,'1cd3e243-7','{"type":"played","action":"take extra 1"}');
INSERT INTO "log" VALUES('M7HL9CHR',9,1.79483050999509334564e+09,1,'1cd3e243-8','{"type":"played","action":"move main-street"}');
INSERT INTO "log" VALUES('M7HL9CHR',10,1.7948305099992437363e+09,1,'1cd3e243-9','{"type":"played","action":"end"}');
INSERT INTO "log" VALUES('M7HL9CHR',11,1.79483051000370836258e+09,2,'1cd3e243-10','{"type":"played","action":"act","outcome":"6"}');
INSERT INTO "log" VALUES('M7HL9CHR',12,1.79483051000847959521e+09,1,'1cd3e243-11','{"type":"played","action":"move jail","outcome":"card 13"}');
INSERT INTO "log" VALUES('X33CMXJR',1,1.79483050733717608448e+09,0,'','{"type":"opened","game":1,"public":true,"options":{"deck":"classic","layout":"standard","first":"Ada","ties":"later","bonus":"roles","days":null,"dice":"fair"},"seed":"9146ef034f247e6bdbc103f7ff073a0fdb4741ec2046f4f2bb70f7d46827cd9d","host":1,"chairs":[{"id":1,"name":"Ada","colour":"red","token":"338ec3fe38c67a262e5c74dd9e771b8dcafd7d99029198594c5e9ecbeb038fcb"}],"next_chair":2,"left":{},"deck":null,"board":null,"started":false,"house":{"grace":120,"stand_in":"regular","clock":null,"locked":false,"talk":true}}');
CREATE TABLE outbox (
	subscription VARCHAR(32) NOT NULL, 
	code VARCHAR(8) NOT NULL, 
	chair INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	tag VARCHAR(64) NOT NULL, 
	at FLOAT NOT NULL, 
	due FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	PRIMARY KEY (subscription)
);
CREATE TABLE runs (
	id VARCHAR(16) NOT NULL, 
	started FLOAT NOT NULL, 
	alive FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('e23831316a983d96',1.79483050699465584761e+09,1.79483050699465584761e+09);
CREATE TABLE server_keys (
	name VARCHAR(16) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "server_keys" VALUES('kept','a key of another kind');
CREATE TABLE servers (
	id VARCHAR(16) NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE subscriptions (
	id VARCHAR(32) NOT NULL, 
	code VARCHAR(8) NOT NULL, 
	chair INTEGER NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	target VARCHAR(1000) NOT NULL, 
	keys TEXT NOT NULL, 
	language VARCHAR(16) NOT NULL, 
	asked FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "subscriptions" VALUES('4452c5b4c5f937eb6c1e222c6074f8a7','M7HL9CHR',1,'338ec3fe38c67a262e5c74dd9e771b8dcafd7d99029198594c5e9ecbeb038fcb','json','http://127.0.0.1:9/hook','','en',1.79483051001606488221e+09);
CREATE TABLE switches (
	name VARCHAR(16) NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE tables (
	code VARCHAR(8) NOT NULL, 
	number BIGINT NOT NULL, 
	public BOOLEAN NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	summary TEXT NOT NULL, since FLOAT, due FLOAT, 
	PRIMARY KEY (code)
);
INSERT INTO "tables" VALUES('X33CMXJR',1794830507337176,1,'waiting','{"code":"X33CMXJR","status":"waiting","options":{"deck":"classic","layout":"standard","first":"Ada","ties":"later","bonus":"roles","days":null,"dice":"fair"},"seats":[{"seat":1,"name":"Ada","colour":"red","bot":null,"ready":false,"stand_in":null,"left":false}],"created":1794830507.337176,"locked":false}',NULL,NULL);
INSERT INTO "tables" VALUES('FTRXTKJM',1794830507376709,1,'finished','{"code":"FTRXTKJM","status":"finished","options":{"deck":"classic","layout":"standard","first":"random","ties":"later","bonus":"roles","days":1,"dice":"fair"},"seats":[{"seat":1,"name":"Ada","colour":"red","bot":null,"ready":true,"stand_in":null,"left":false},{"seat":2,"name":"Tim Tumbleweed","colour":"blue","bot":"random","ready":true,"stand_in":null,"left":false}],"created":1794830507.376709,"locked":false}',NULL,NULL);
INSERT INTO "tables" VALUES('M7HL9CHR',1794830509955845,0,'running','{"code":"M7HL9CHR","status":"running","options":{"deck":"classic","layout":"standard","first":"Bo","ties":"later","bonus":"roles","days":null,"dice":"fair"},"seats":[{"seat":1,"name":"Ada","colour":"red","bot":null,"ready":true,"stand_in":null,"left":false},{"seat":2,"name":"Bo","colour":"blue","bot":null,"ready":true,"stand_in":null,"left":false}],"created":1794830509.955845,"locked":false}',1.79483051000370836258e+09,1.7949169100037083626e+09);
CREATE TABLE talk (
	code VARCHAR(8) NOT NULL, 
	number BIGINT NOT NULL, 
	command VARCHAR(64) NOT NULL, 
	line TEXT NOT NULL, 
	PRIMARY KEY (code, number)
)
 WITHOUT ROWID

;
INSERT INTO "talk" VALUES('M7HL9CHR',1794830510012894,'1cd3e243-12','{"number":1794830510012894,"name":"Ada","chair":1,"text":"Nice hat."}');
CREATE TABLE touched (
	id VARCHAR(16) NOT NULL, 
	code VARCHAR(8) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX tables_by_number ON tables (public, status, number);
CREATE INDEX tables_by_due ON tables (due);
CREATE INDEX ix_runs_started ON runs (started);
CREATE INDEX ix_bundles_used ON bundles (used);
CREATE INDEX talk_by_number ON talk (number);
CREATE INDEX ix_subscriptions_asked ON subscriptions (asked);
CREATE INDEX ix_subscriptions_target ON subscriptions (target);
CREATE INDEX subscriptions_by_chair ON subscriptions (code, chair);
CREATE INDEX ix_outbox_due ON outbox (due);
CREATE INDEX outbox_by_chair ON outbox (code, chair);
CREATE INDEX ix_leases_owner ON leases (owner);
CREATE INDEX deletions_by_moment ON deletions (at, code);
CREATE INDEX deletions_by_filled ON deletions (filled, code);
CREATE INDEX ix_touched_at ON touched (at);
COMMIT;
