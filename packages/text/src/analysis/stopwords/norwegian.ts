/** Norwegian function words, question words included. */
export const NORWEGIAN_STOPWORDS = `
  alle alt andre at av bare begge ble blei blir bli både da de deg dei deim deira dem den denne der dere deres det
  dette di din disse du eg ein eit eller en enn er et etter for fordi fra før få får går ha hadde han hans har
  henne hennes her hos hun hva hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke ikkje ingen inn
  ja jeg kan kun kunne man mange med meg meget mellom men mer min mot mye må når ned no noe noen nå og også om opp
  oss over på samme seg selv sin sitt skal skulle slik som så til um under ut uten var vart ved vi vil ville vår
  være vært`;
