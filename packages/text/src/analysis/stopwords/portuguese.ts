/** Portuguese function words, question words included. */
export const PORTUGUESE_STOPWORDS = `
  a à ainda ao aos aquela aquele às as até cada com como da das de dela dele deles depois desde dessa desse desta
  deste do dos durante e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estas este
  estes eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na nas não nem nessa nesse nesta neste
  no nos nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem por
  porque porquê qual quais quando quanto quantos quanta quantas que quê quem se seja sem ser será seu seus são só
  sob sobre sua suas também tem têm tinha toda todas todo todos tu tua um uma umas uns você vocês`;
