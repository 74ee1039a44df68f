/** Hungarian function words, question words included. */
export const HUNGARIAN_STOPWORDS = `
  a abban ahhoz ahogy ahol aki akik alatt által általában amely amelyek amelyet ami amit amikor annak arra az azok
  azon azt azzal azért be belül benne csak de e egy egyes egyik egyéb el ellen előtt első én ennek erre ez ezek
  ezen ezt ezzel és fel felett ha hány hogy hogyan hol honnan hova illetve ilyen is így ki kik kinek kit között
  közötti kell kellett lehet lenne lesz lett le maga már meg mely melyek melyik mert mi mikor milyen minden mint
  mit mivel miért még míg nagyon nem nincs néhány olyan ott pedig sem sok s szerint szét számára tehát több után
  utána vagy vagyok valamint van vannak volt voltak össze úgy ők ő`;
