/** Romanian function words, question words included. */
export const ROMANIAN_STOPWORDS = `
  a acea aceasta această aceea acel acele acest acesta aceste acestea aceşti ai al ale am ar are aş asta astfel
  atunci au avea avut când câţi câte cât câtă care cărei căror cărui că ce cea cei cele cel cine cu cum către da
  dacă dar datorită de deci deşi despre din dintre după e ea ei el ele era erau este eu eşti fi fie fost iar îi îl
  în înainte între îşi la le li lor lui mai mult multe mulţi ne nici noi noştri nu o ori orice pe pentru peste pot
  poate prin sa să sau se şi sînt sunt spre sub sus ta te toate tot toţi tu un una unei unele unor unui unde va
  vor voi vă vi`;
