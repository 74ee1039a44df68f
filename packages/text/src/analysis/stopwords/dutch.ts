/** Dutch function words, question words included. */
export const DUTCH_STOPWORDS = `
  aan al alle als altijd andere ben bij daar dan dat de deze die dit doch doen door dus een en er ge geen haar had
  hadden heb hebben heeft hem het hier hij hoe hoeveel hun iets ik in is ja je jij jouw jullie kan kon kunnen maar
  me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over te tegen
  toch toen tot u uit uw van veel voor waar waarom wanneer waren was wat we weer welk welke werd werden wie wij
  wil wordt worden zal ze zelf zich zij zijn zo zoals zonder zou zouden`;
