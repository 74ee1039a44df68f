/** German function words, question words included. */
export const GERMAN_STOPWORDS = `
  ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis
  bist da dabei dadurch dafür damit dann daran darauf das dass davon dazu dein deine dem den denen denn der deren
  des dessen deshalb dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen
  einer eines er es etwa etwas euch euer für gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm
  ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ins ist ja jede jedem jeden jeder jedes jedoch jene kann kein
  keine keinem keinen keiner können könnte konnte man mehr mein meine meinem meinen meiner mich mir mit muss
  müssen musste nach nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll
  sollen sollte sondern sowie über um und uns unser unsere unter vom von vor war waren warum was weil welche
  welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder will wir wird wo woher wohin
  wurde wurden würde zu zum zur zwar zwischen`;
