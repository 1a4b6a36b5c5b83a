// Groups of words that mean about the same, one a line; no word is in two.
"use strict";
const synonyms = `
  big large huge giant vast
  small little tiny mini
  fast quick rapid swift speedy
  happy glad joyful cheerful merry
  sad unhappy gloomy sorrowful
  angry furious mad irate
  smart clever bright brainy
  brave bold fearless heroic
  quiet silent hushed noiseless
  loud noisy deafening blaring
  easy simple effortless
  hard difficult tough tricky
  begin start commence launch
  end finish conclude complete
  cold chilly freezing icy frosty
  hot scorching boiling sizzling
  house home dwelling residence
  road street avenue lane
  car automobile vehicle motorcar
  boat ship vessel
  child kid youngster infant
  teacher tutor instructor educator
  doctor physician medic
  gift present donation
  mistake error blunder slip
  money cash funds currency
  picture image photo snapshot
  rock stone boulder pebble
  fire blaze flame inferno
  ocean sea
  forest woods woodland
  story tale fable narrative
  jump leap hop spring
  rich wealthy affluent
`.trim().split("\n").map((line) => line.trim().split(" "));
Object.freeze(synonyms);
