/**
 * English function words that documents and queries leave out. On questions in whole sentences,
 * about 120 words measured better than the 33 of Lucene. Contractions have no apostrophe, as
 * `splitToken` returns them. Words that are also common nouns (may, will as names) are
 * included only if the function word is far more frequent. In capitals, abbreviations like IT and US are
 * terms.
 */
export const ENGLISH_STOPWORDS = `
  a about above after again against all also am an and any are as at
  be because been before being below between both but by
  can cannot could did do does doing down during each few for from further
  had has have having he her here hers herself him himself his how
  i if in into is it its itself just me more most my myself
  no nor not now of off on once only or other our ours ourselves out over own
  same she should so some such than that the their theirs them themselves then there these they this those through to too
  under until up upon us very was we were what when where whether which while who whom whose why will with would
  you your yours yourself
  arent cant didnt doesnt dont im isnt ive theyre wasnt wont youre`;
