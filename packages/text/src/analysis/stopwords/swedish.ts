/** Swedish function words, question words included. */
export const SWEDISH_STOPWORDS = `
  alla allt än andra är att av blev bli blir både då de dem den denna deras dess dessa det detta dig din dina ditt
  du där efter ej eller en er ert ett finns från för före genom går ha hade han hans har henne hennes hon honom
  hos hur i icke in ingen inget inom inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket ni nu
  när något några någon och om oss på samma sedan sig sin sina sitt själv ska skall skulle som så till under upp
  ut utan vad var vara varför varit varje vars vem vi vid vilka vilken vilket vår våra över`;
