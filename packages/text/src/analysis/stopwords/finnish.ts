/** Finnish function words, question words included. */
export const FINNISH_STOPWORDS = `
  alla että eivät ei ennen he hän häntä hänen ja jos joka jotka joita joiden jonka johon jolla jossa josta kanssa
  kautta keitä ketkä ketä kenen koska kuin kuinka kuka kun kuten me meidän mihin mikä mikäli milloin miksi millä
  minkä minkälainen minä minun missä mistä mitkä mitä miten molemmat monta montako mukaan mutta muiden muut myös
  ne niiden niin niitä noin nämä näiden nyt ole oli olla olivat olleet ollut on onko ovat paljonko saa se sekä sen
  sillä sitä siinä siitä sinä tai tämä tämän tässä tästä tätä te tulee vaan vai vaikka voi voidaan vielä`;
