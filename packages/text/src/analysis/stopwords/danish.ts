/** Danish function words, question words included. */
export const DANISH_STOPWORDS = `
  ad af aldrig alle alt anden at blev blive bliver både da de dem den denne der deres det dette dig din disse dog
  du efter eller en end er et få får før fra for gør ham han hans har havde have hende hendes her hos hun hvad
  hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår i ikke ind ingen jeg jer jo kan kunne kun man
  mange med meget mellem men mere mig min mod må når noget nogen nogle nu og også om op os over på sammen selv sig
  sin skal skulle som så sådan til ud under var vil ville ved vi vores været være`;
