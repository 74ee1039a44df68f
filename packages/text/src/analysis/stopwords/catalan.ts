/** Catalan function words, question words included. */
export const CATALAN_STOPWORDS = `
  a abans això al als amb aquell aquella aquest aquesta aquests aquestes així com cada contra d dels del des
  després durant el ella elles ells els em en entre era eren és es està estan et eu fins fou ha han hi i la les li
  l ja més molt ni no nosaltres o on per però perquè pel pels quan quant quants quantes qual quals que què qui se
  sense seu seva seus seves ser són sobre sota també tan tot tots un una unes uns va van vostè`;
