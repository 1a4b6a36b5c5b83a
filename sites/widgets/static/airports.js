// Airports of the United States, one a city, as "City, ST (CODE)".
"use strict";
const airports = `
  AK: Anchorage ANC, Barrow BRW, Bethel BET, Cordova CDV, Dillingham DLG, Fairbanks FAI, Homer HOM,
    Juneau JNU, Kenai ENA, Ketchikan KTN, King Salmon AKN, Kodiak ADQ, Kotzebue OTZ, Nome OME,
    Petersburg PSG, Sitka SIT, Unalaska DUT, Valdez VDZ, Wrangell WRG, Yakutat YAK
  AL: Birmingham BHM, Dothan DHN, Huntsville HSV, Mobile MOB, Montgomery MGM, Muscle Shoals MSL
  AR: El Dorado ELD, Fayetteville XNA, Fort Smith FSM, Harrison HRO, Hot Springs HOT, Jonesboro JBR,
    Little Rock LIT, Texarkana TXK
  AZ: Bullhead City IFP, Flagstaff FLG, Page PGA, Phoenix PHX, Prescott PRC, Show Low SOW,
    Tucson TUS, Yuma YUM
  CA: Arcata ACV, Bakersfield BFL, Burbank BUR, Chico CIC, Crescent City CEC, Fresno FAT,
    Long Beach LGB, Los Angeles LAX, Mammoth Lakes MMH, Merced MCE, Modesto MOD, Monterey MRY,
    Oakland OAK, Ontario ONT, Oxnard OXR, Palm Springs PSP, Redding RDD, Sacramento SMF,
    San Diego SAN, San Francisco SFO, San Jose SJC, San Luis Obispo SBP, Santa Ana SNA,
    Santa Barbara SBA, Santa Maria SMX, Santa Rosa STS, Stockton SCK, Visalia VIS
  CO: Alamosa ALS, Aspen ASE, Colorado Springs COS, Cortez CEZ, Denver DEN, Durango DRO, Eagle EGE,
    Fort Collins FNL, Grand Junction GJT, Gunnison GUC, Hayden HDN, Montrose MTJ, Pueblo PUB,
    Telluride TEX
  CT: Groton GON, Hartford BDL, New Haven HVN
  DE: Wilmington ILG
  FL: Daytona Beach DAB, Fort Lauderdale FLL, Fort Myers RSW, Fort Walton Beach VPS,
    Gainesville GNV, Jacksonville JAX, Key West EYW, Marathon MTH, Melbourne MLB, Miami MIA,
    Naples APF, Orlando MCO, Panama City ECP, Pensacola PNS, Punta Gorda PGD, Sarasota SRQ,
    St. Augustine UST, St. Petersburg PIE, Tallahassee TLH, Tampa TPA, Vero Beach VRB,
    West Palm Beach PBI
  GA: Albany ABY, Athens AHN, Atlanta ATL, Augusta AGS, Brunswick BQK, Columbus CSG, Macon MCN,
    Savannah SAV, Valdosta VLD
  HI: Hilo ITO, Honolulu HNL, Kahului OGG, Kailua-Kona KOA, Lanai City LNY, Lihue LIH
  IA: Burlington BRL, Cedar Rapids CID, Davenport DVN, Des Moines DSM, Dubuque DBQ, Fort Dodge FOD,
    Mason City MCW, Sioux City SUX, Waterloo ALO
  ID: Boise BOI, Hailey SUN, Idaho Falls IDA, Lewiston LWS, Pocatello PIH, Twin Falls TWF
  IL: Belleville BLV, Bloomington BMI, Champaign CMI, Chicago ORD, Decatur DEC, Marion MWA,
    Moline MLI, Peoria PIA, Quincy UIN, Rockford RFD, Springfield SPI
  IN: Evansville EVV, Fort Wayne FWA, Gary GYY, Indianapolis IND, Lafayette LAF, South Bend SBN,
    Terre Haute HUF
  KS: Dodge City DDC, Garden City GCK, Great Bend GBD, Hays HYS, Liberal LBL, Manhattan MHK,
    Salina SLN, Topeka FOE, Wichita ICT
  KY: Lexington LEX, Louisville SDF, Owensboro OWB, Paducah PAH
  LA: Alexandria AEX, Baton Rouge BTR, Lafayette LFT, Lake Charles LCH, Monroe MLU,
    New Orleans MSY, Shreveport SHV
  MA: Boston BOS, Hyannis HYA, Nantucket ACK, Provincetown PVC, Vineyard Haven MVY, Worcester ORH
  MD: Baltimore BWI, Hagerstown HGR, Salisbury SBY
  ME: Augusta AUG, Bangor BGR, Bar Harbor BHB, Portland PWM, Presque Isle PQI, Rockland RKD
  MI: Alpena APN, Detroit DTW, Escanaba ESC, Flint FNT, Grand Rapids GRR, Hancock CMX,
    Iron Mountain IMT, Ironwood IWD, Kalamazoo AZO, Lansing LAN, Manistee MBL, Marquette MQT,
    Muskegon MKG, Pellston PLN, Saginaw MBS, Traverse City TVC
  MN: Bemidji BJI, Brainerd BRD, Duluth DLH, Hibbing HIB, Minneapolis MSP, Rochester RST,
    St. Cloud STC, Thief River Falls TVF
  MO: Cape Girardeau CGI, Columbia COU, Fort Leonard Wood TBN, Joplin JLN, Kansas City MCI,
    Kirksville IRK, Springfield SGF, St. Louis STL
  MS: Columbus GTR, Greenville GLH, Gulfport GPT, Hattiesburg PIB, Jackson JAN, Meridian MEI,
    Tupelo TUP
  MT: Billings BIL, Bozeman BZN, Butte BTM, Glasgow GGW, Glendive GDV, Great Falls GTF, Havre HVR,
    Helena HLN, Kalispell FCA, Missoula MSO, Sidney SDY, West Yellowstone WYS, Wolf Point OLF
  NC: Asheville AVL, Charlotte CLT, Fayetteville FAY, Greensboro GSO, Greenville PGV,
    Jacksonville OAJ, New Bern EWN, Raleigh RDU, Wilmington ILM
  ND: Bismarck BIS, Devils Lake DVL, Dickinson DIK, Fargo FAR, Grand Forks GFK, Jamestown JMS,
    Minot MOT, Williston ISN
  NE: Alliance AIA, Chadron CDR, Grand Island GRI, Kearney EAR, Lincoln LNK, McCook MCK,
    North Platte LBF, Omaha OMA, Scottsbluff BFF
  NH: Keene EEN, Lebanon LEB, Manchester MHT, Portsmouth PSM
  NJ: Atlantic City ACY, Newark EWR, Trenton TTN
  NM: Albuquerque ABQ, Carlsbad CNM, Clovis CVN, Farmington FMN, Gallup GUP, Hobbs HOB,
    Roswell ROW, Santa Fe SAF, Silver City SVC
  NV: Elko EKO, Ely ELY, Las Vegas LAS, Reno RNO
  NY: Albany ALB, Binghamton BGM, Buffalo BUF, Elmira ELM, Islip ISP, Ithaca ITH, Jamestown JHW,
    Massena MSS, New York JFK, Newburgh SWF, Niagara Falls IAG, Ogdensburg OGS, Plattsburgh PBG,
    Rochester ROC, Saranac Lake SLK, Syracuse SYR, Utica UCA, Watertown ART, White Plains HPN
  OH: Akron CAK, Cincinnati LUK, Cleveland CLE, Columbus CMH, Dayton DAY, Mansfield MFD, Toledo TOL,
    Youngstown YNG
  OK: Enid WDG, Lawton LAW, Oklahoma City OKC, Ponca City PNC, Stillwater SWO, Tulsa TUL
  OR: Astoria AST, Eugene EUG, Klamath Falls LMT, Medford MFR, Newport ONP, North Bend OTH,
    Pendleton PDT, Portland PDX, Redmond RDM, Salem SLE
  PA: Allentown ABE, Altoona AOO, Bradford BFD, DuBois DUJ, Erie ERI, Franklin FKL, Harrisburg MDT,
    Johnstown JST, Lancaster LNS, Latrobe LBE, Philadelphia PHL, Pittsburgh PIT, Scranton AVP,
    State College SCE, Williamsport IPT
  RI: Block Island BID, Providence PVD, Westerly WST
  SC: Charleston CHS, Columbia CAE, Florence FLO, Greenville GSP, Hilton Head HHH, Myrtle Beach MYR
  SD: Aberdeen ABR, Brookings BKX, Huron HON, Mitchell MHE, Pierre PIR, Rapid City RAP,
    Sioux Falls FSD, Watertown ATY
  TN: Bristol TRI, Chattanooga CHA, Jackson MKL, Knoxville TYS, Memphis MEM, Nashville BNA
  TX: Abilene ABI, Amarillo AMA, Austin AUS, Beaumont BPT, Brownsville BRO, College Station CLL,
    Corpus Christi CRP, Dallas DFW, Del Rio DRT, El Paso ELP, Harlingen HRL, Houston IAH,
    Killeen GRK, Laredo LRD, Longview GGG, Lubbock LBB, McAllen MFE, Midland MAF, San Angelo SJT,
    San Antonio SAT, Tyler TYR, Victoria VCT, Waco ACT, Wichita Falls SPS
  UT: Cedar City CDC, Moab CNY, Ogden OGD, Provo PVU, Salt Lake City SLC, St. George SGU, Vernal VEL
  VA: Charlottesville CHO, Lynchburg LYH, Newport News PHF, Norfolk ORF, Richmond RIC, Roanoke ROA,
    Staunton SHD
  VT: Burlington BTV, Rutland RUT
  WA: Bellingham BLI, Friday Harbor FRD, Moses Lake MWH, Pasco PSC, Port Angeles CLM, Pullman PUW,
    Seattle SEA, Spokane GEG, Walla Walla ALW, Wenatchee EAT, Yakima YKM
  WI: Appleton ATW, Eau Claire EAU, Green Bay GRB, La Crosse LSE, Madison MSN, Milwaukee MKE,
    Mosinee CWA, Oshkosh OSH, Rhinelander RHI
  WV: Beckley BKW, Bluefield BLF, Charleston CRW, Clarksburg CKB, Huntington HTS, Lewisburg LWB,
    Morgantown MGW, Parkersburg PKB
  WY: Casper CPR, Cheyenne CYS, Cody COD, Gillette GCC, Jackson JAC, Laramie LAR, Riverton RIW,
    Rock Springs RKS, Sheridan SHR
`.trim().replace(/\s+/g, " ").split(/ (?=[A-Z]{2}: )/).flatMap((line) => {
  const [state, cities] = line.split(": ");
  return cities.split(", ").map((city) => `${city.slice(0, -4)}, ${state} (${city.slice(-3)})`);
});
Object.freeze(airports);
