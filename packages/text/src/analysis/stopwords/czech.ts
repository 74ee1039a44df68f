/** Czech function words, question words included. */
export const CZECH_STOPWORDS = `
  a aby ale ani asi až bez bude budou by byl byla byli bylo být co což do ho i jak jaká jaké jaký jako je jeho jej
  její jejich jen ještě ji jiné již jsem jsme jsou jste k kam kde kdo když ke kolik která které kterého který
  kterou kteří ku mají má mezi mi mohou může my na nad nebo než není nejsou o od on ona oni po pod podle pokud
  pouze pro proč proto protože před při přes s se si své svou svůj ta tak také tato tedy ten tento této tím to
  toho tohoto tom tomto tu u už v ve však vy z za ze že`;
