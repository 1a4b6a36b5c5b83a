// Word lists and texts that several pages draw from. The names were drawn once with Faker.
"use strict";
const words = {
  /** Fifty short first names. */
  NAMES: `
    Aimee Angela Ann Anna April Autumn Bob Bobby Brad Brent Calvin Casey Cole Dana David Diana
    Dylan Edwin Eileen Elaine Erika Gary Gene Hailey Isabel Jack Javier Jody Jordan Jorge Julie
    Karen Kelli Kristy Manuel Marvin Melvin Miguel Neil Peggy Perry Ralph Sean Shane Shawn Shelly
    Stacie Tricia Wesley Yvette
  `.trim().split(/\s+/),
  /** Four hundred first names. */
  FIRST_NAMES: `
    Aaron Abigail Adam Adriana Alan Alec Alejandra Alexander Alexandra Alexis Alice Alisha Alison
    Allen Allison Alvin Amanda Ana Andres Andrew Angela Angelica Anna Anne Anthony Ariana Ariel
    Arthur Ashlee Ashley Austin Autumn Bailey Belinda Benjamin Bernard Beth Beverly Bill Bob Bobby
    Bonnie Bradley Brady Brandi Brandon Brandy Brent Brian Briana Brianna Bridget Brittney Brooke
    Bruce Bryan Caleb Calvin Cameron Carl Carlos Carol Caroline Carolyn Carrie Casey Cassidy Cesar
    Chad Charles Chelsey Cheryl Cheyenne Christian Christine Christopher Christy Claudia Clayton
    Clifford Clinton Cody Cole Colin Colleen Collin Colton Connie Connor Corey Cory Courtney Craig
    Curtis Cynthia Daisy Damon Dan Dana Daniel Danny Darius Darryl Daryl Dave David Dawn Dean
    Deanna Debbie Deborah Debra Dennis Derrick Destiny Diane Dillon Donna Doris Dorothy Drew
    Dustin Dwayne Dylan Earl Edwin Eileen Elizabeth Emily Emma Eric Erik Erika Ethan Eugene Evan
    Faith Felicia Fernando Frances Francis Francisco Frank Frederick Gabriella Gabrielle Gail
    Gavin Gene Geoffrey Gerald Glen Glenda Glenn Grant Gregg Gwendolyn Hailey Haley Harold Harry
    Hayden Hayley Hector Heidi Henry Herbert Holly Isabel Isaiah Ivan Jackie Jackson Jacob
    Jacqueline Jamie Jane Janet Jared Jasmine Jason Jay Jeanne Jeff Jeffrey Jenna Jennifer Jenny
    Jeremiah Jermaine Jerome Jesse Jessica Jesus Jo Jocelyn Jodi Jody Joel Johnny Jorge Joshua Joy
    Joyce Judith Judy Julia Julian Julie Kaitlin Karen Karla Katelyn Kathryn Kathy Katie Katrina
    Kaylee Keith Kellie Kelly Kendra Kenneth Kent Kerri Kerry Kevin Kim Kirk Krista Kristie
    Kristopher Kristy Krystal Kurt Kyle Kylie Lacey Lance Latoya Laura Laurie Lawrence Lee Leon
    Leonard Leroy Leslie Levi Linda Lindsay Logan Louis Luis Luke Lydia Mackenzie Madison Makayla
    Mallory Marco Margaret Maria Marie Marilyn Mario Marisa Marissa Martha Martin Marvin Mathew
    Matthew Maurice Meagan Meghan Melanie Melissa Melvin Meredith Michaela Michelle Mikayla Mike
    Miranda Misty Mitchell Molly Natalie Nathan Nathaniel Neil Nicholas Nichole Nicolas Noah Norma
    Norman Olivia Omar Oscar Pam Parker Patricia Patrick Patty Peggy Penny Peter Philip Phillip
    Preston Rachael Rachel Ralph Randy Ray Raymond Ricardo Rick Ricky Robert Roberta Robyn Rodney
    Roger Ronald Ronnie Roy Russell Ruth Sally Samuel Sandra Sandy Scott Sean Shane Shannon Shaun
    Shawn Shawna Sheena Sheila Shelia Shelley Shelly Sheri Sherry Sheryl Sonia Sonya Spencer
    Stacey Stacie Stacy Stanley Stefanie Stephen Steve Susan Sydney Tabitha Tamara Tami Tammie
    Tanner Teresa Terri Terry Theodore Theresa Thomas Tim Todd Tom Tommy Tonya Tracey Tracy Travis
    Trevor Tricia Vernon Vicki Victor Victoria Virginia Walter Wanda Warren Wesley William Willie
    Wyatt Xavier Yvette Yvonne Zachary Zoe
  `.trim().split(/\s+/),
  /** Four hundred last names. */
  LAST_NAMES: `
    Acosta Adkins Aguilar Aguirre Alexander Allen Alvarado Alvarez Anderson Anthony Archer Arnold
    Baird Ball Banks Barajas Barber Barker Barr Bass Bates Bautista Baxter Bean Beard Beasley Beck
    Benjamin Blackwell Blair Booker Booth Bowers Bowman Boyd Brady Branch Bray Brewer Bridges
    Brown Buckley Burch Burke Burns Burton Bush Cabrera Calhoun Camacho Cameron Campos Carlson
    Carney Case Casey Cervantes Chan Chapman Chase Choi Christensen Christian Chung Church
    Cisneros Clark Clements Cline Collier Conley Conrad Contreras Conway Cooke Cooper Copeland
    Cowan Crosby Cuevas Curry Daniels Davenport David Davies Davila Day Deleon Delgado Diaz
    Dickerson Dickson Dominguez Donovan Dougherty Doyle Duke Duncan Dunlap Dyer Edwards Elliott
    Ellis Ellison Escobar Espinoza Everett Farmer Fields Figueroa Finley Fitzgerald Flynn Forbes
    Ford Fowler Fox Francis Frederick French Friedman Fry Frye Gallagher Gallegos Garcia Gardner
    Garner Garrett Garrison Garza Gates Gentry George Gibbs Gibson Gillespie Gilmore Glenn Gomez
    Gonzalez Good Gordon Grant Graves Greene Greer Griffith Grimes Guerra Guerrero Guzman Haas
    Hall Hammond Hansen Harding Harrington Harris Hawkins Hays Henderson Hendricks Henry Hernandez
    Hickman Hicks Hill Hines Hinton Hodges Holt Hooper Hoover Hopkins Horn Horne Howe Huber Huerta
    Huffman Hull Humphrey Hunt Hunter Hurley Hutchinson Jackson Jacobson Jefferson Jennings Jensen
    Johnston Jordan Joyce Keller Kent Kerr Khan Kidd Kirby Knight Knox Koch Kramer Krueger Lam
    Landry Lane Lang Larsen Lawrence Lawson Leon Levy Lewis Lindsey Little Long Lowe Lutz
    Macdonald Mack Madden Malone Manning Marquez Martin Mathews Matthews Maxwell May Mayer Mays
    Mcbride Mccall Mccann Mccarty Mcconnell Mccullough Mcgrath Mcintyre Mckee Mckenzie Mcmillan
    Melendez Mendez Mercado Mercer Merritt Michael Molina Montgomery Moody Moon Mooney Mora
    Morales Morrison Morse Morton Mullen Munoz Murillo Murray Nash Neal Nelson Nichols Nielsen
    Norris Novak Obrien Oconnor Oliver Olsen Oneill Orozco Ortega Osborn Osborne Owens Pacheco
    Page Palmer Park Parsons Patel Patterson Patton Payne Pena Pennington Perez Perkins Petersen
    Petty Phelps Pierce Pineda Pitts Pollard Ponce Powell Powers Preston Price Proctor Randall
    Rasmussen Ray Reid Reyes Rich Richard Ritter Rivas Rivera Roach Robinson Rocha Romero Rosales
    Rose Roth Rowe Roy Ruiz Rush Russell Russo Salas Salazar Salinas Sanders Sandoval Santos
    Saunders Schmidt Scott Sellers Shaffer Sharp Shea Shelton Sheppard Singleton Small Snyder
    Solis Spears Spence Stanley Steele Stephens Stephenson Stewart Stokes Stone Strickland
    Sullivan Taylor Thornton Tran Trujillo Turner Tyler Vance Vargas Vasquez Vega Villa Villarreal
    Villegas Vincent Wagner Wallace Walters Wang Ward Warren Waters Weaver Webster Weeks Weiss
    Wheeler Wiley Wilkerson Williams Willis Wilson Woodard Woods Woodward York Yu Zavala Zhang
    Zimmerman
  `.trim().split(/\s+/),
  /** 234 countries and territories. */
  COUNTRIES: `
    Afghanistan; Albania; Algeria; American Samoa; Andorra; Angola; Anguilla; Antigua and Barbuda;
    Argentina; Armenia; Aruba; Australia; Austria; Azerbaijan; Bahamas; Bahrain; Bangladesh;
    Barbados; Belarus; Belgium; Belize; Benin; Bermuda; Bhutan; Bolivia; Bosnia and Herzegovina;
    Botswana; Brazil; British Virgin Islands; Brunei; Bulgaria; Burkina Faso; Burundi; Cambodia;
    Cameroon; Canada; Cape Verde; Cayman Islands; Central African Republic; Chad; Chile; China;
    Christmas Island; Colombia; Comoros; Cook Islands; Costa Rica; Croatia; Cuba; Curacao; Cyprus;
    Czech Republic; Democratic Republic of the Congo; Denmark; Djibouti; Dominica; Dominican
    Republic; East Timor; Ecuador; Egypt; El Salvador; Equatorial Guinea; Eritrea; Estonia;
    Eswatini; Ethiopia; Falkland Islands; Faroe Islands; Fiji; Finland; France; French Guiana;
    French Polynesia; Gabon; Gambia; Georgia; Germany; Ghana; Gibraltar; Greece; Greenland;
    Grenada; Guadeloupe; Guam; Guatemala; Guernsey; Guinea; Guinea-Bissau; Guyana; Haiti;
    Honduras; Hong Kong; Hungary; Iceland; India; Indonesia; Iran; Iraq; Ireland; Isle of Man;
    Israel; Italy; Ivory Coast; Jamaica; Japan; Jersey; Jordan; Kazakhstan; Kenya; Kiribati;
    Kosovo; Kuwait; Kyrgyzstan; Laos; Latvia; Lebanon; Lesotho; Liberia; Libya; Liechtenstein;
    Lithuania; Luxembourg; Macau; Madagascar; Malawi; Malaysia; Maldives; Mali; Malta; Marshall
    Islands; Martinique; Mauritania; Mauritius; Mayotte; Mexico; Micronesia; Moldova; Monaco;
    Mongolia; Montenegro; Montserrat; Morocco; Mozambique; Myanmar; Namibia; Nauru; Nepal;
    Netherlands; New Caledonia; New Zealand; Nicaragua; Niger; Nigeria; Niue; Norfolk Island;
    North Korea; North Macedonia; Northern Mariana Islands; Norway; Oman; Pakistan; Palau;
    Palestine; Panama; Papua New Guinea; Paraguay; Peru; Philippines; Poland; Portugal; Puerto
    Rico; Qatar; Republic of the Congo; Reunion; Romania; Russia; Rwanda; Saint Helena; Saint
    Kitts and Nevis; Saint Lucia; Saint Martin; Saint Vincent and the Grenadines; Samoa; San
    Marino; Sao Tome and Principe; Saudi Arabia; Senegal; Serbia; Seychelles; Sierra Leone;
    Singapore; Slovakia; Slovenia; Solomon Islands; Somalia; South Africa; South Korea; South
    Sudan; Spain; Sri Lanka; Sudan; Suriname; Sweden; Switzerland; Syria; Taiwan; Tajikistan;
    Tanzania; Thailand; Togo; Tokelau; Tonga; Trinidad and Tobago; Tunisia; Turkey; Turkmenistan;
    Turks and Caicos Islands; Tuvalu; Uganda; Ukraine; United Arab Emirates; United Kingdom;
    United States; Uruguay; Uzbekistan; Vanuatu; Vatican City; Venezuela; Vietnam; Wallis and
    Futuna; Western Sahara; Yemen; Zambia; Zimbabwe
  `.trim().replace(/\s+/g, " ").split("; "),
  /** The words of texts that mean nothing. */
  LATIN: `
    ab accumsan adipiscing aenean aliquam aliquet amet ante aptent arcu at auctor augue bibendum
    blandit commodo condimentum congue consectetur consequat convallis cras cubilia curae cursus
    dapibus diam dictum dictumst dignissim dis dolor donec dui duis efficitur egestas eget
    eleifend elementum elit enim erat eros est et etiam eu euismod ex facilisi facilisis fames
    faucibus felis fermentum feugiat finibus fringilla fusce gravida habitant habitasse hac
    hendrerit iaculis id imperdiet in inceptos integer interdum ipsum justo lacinia lacus laoreet
    lectus leo libero ligula lobortis lorem luctus maecenas magna malesuada massa mattis mauris
    maximus metus mi molestie mollis morbi nam nec neque netus nibh nisi nisl non nostra nulla
    nullam nunc odio orci ornare parturient pellentesque per phasellus placerat platea porta
    porttitor posuere potenti praesent pretium primis proin pulvinar purus quam quis quisque
    rhoncus ridiculus risus rutrum sagittis sapien scelerisque sed sem semper senectus sit
    sociosqu sodales sollicitudin suscipit suspendisse taciti tellus tempor tempus tincidunt
    torquent tortor tristique turpis ullamcorper ultrices ultricies urna ut varius vehicula vel
    velit venenatis vestibulum vitae vivamus viverra volutpat vulputate
  `.trim().split(/\s+/),

  /** So many words as sentences: after each word a full stop with one chance in five. */
  text(count) {
    const { chance, sample } = core;
    let line = "", starts = true;
    for (let n = 1; n <= count; n++) {
      const word = sample(words.LATIN), ends = n === count || chance(0.2);
      line += (starts ? word[0].toUpperCase() + word.slice(1) : word)
        + (ends ? "." : chance(0.06) ? "," : "") + (n === count ? "" : " ");
      starts = ends;
    }
    return line;
  },

  /** A word without its punctuation. */
  bare: (word) => word.replace(/[^A-Za-z0-9]/g, ""),

  /** A person's first and last name. */
  person: () => `${core.sample(words.FIRST_NAMES)} ${core.sample(words.LAST_NAMES)}`,
};
Object.freeze(words);
