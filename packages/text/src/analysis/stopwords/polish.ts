/** Polish function words, question words included. */
export const POLISH_STOPWORDS = `
  a aby ale ani bardzo bez będzie być był była było były bo ci co czy czyli czym dla dlaczego dlatego do gdy gdzie
  go i ich ile im inne iż ja jak jaka jakie jaki jakich jako je jego jej jest jestem jeszcze jeśli już każdy kiedy
  kogo która które którego której których który którym którzy kto ku lub ma mają mi mnie może można mu my na nad
  nam nas nich nie niego niej niż o od ona one oni oraz po pod podczas ponieważ poprzez przed przez przy są sam
  się sobie swoje ta tak także tam te tego tej ten też to tu ty tych tylko tym u w we wam was więc wszystkich
  wszystko z za ze został została że`;
