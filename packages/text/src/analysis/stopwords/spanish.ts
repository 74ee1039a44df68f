/** Spanish function words, question words included. */
export const SPANISH_STOPWORDS = `
  a al algo algunas algunos ante antes aquel aquella así aún aunque cada como cómo con contra cual cuál cuales
  cuáles cuando cuándo cuánto cuánta cuántos cuántas de del desde donde dónde durante e el él ella ellas ellos en
  entre era eran es esa esas ese eso esos esta está estaba están estas este esto estos fue fueron ha había habían
  hace hacia han has hasta hay la las le les lo los más me mi mis mismo muchos muy nada ni no nos nosotros nuestra
  nuestro o os otra otras otro otros para pero poco por porque puede pueden que qué quien quién quiénes se sea
  según ser si sí sido sin sobre son su sus también tan tanto te tiene tienen todo todos tu tus un una uno unos
  usted ustedes y ya yo`;
