/** Italian function words, question words included. */
export const ITALIAN_STOPWORDS = `
  a abbia ad agli ai al alla alle allo anche ancora aveva avevano c che chi ci ciò coi col come con contro cosa
  così cui da dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove due e è ed era
  erano essere fa fino fra fu furono gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia
  mio molto ne negli nei nel nell nella nelle nello noi non nostra nostro o ogni oltre per perché però più poi può
  possono prima qual quale quali quando quante quanti quanto quanta quella quelle quelli quello questa queste
  questi questo se sei si sia sono sopra sotto stata stati stato su sua sue sugli sui sul sull sulla sulle suo
  suoi te ti tra tu tutti tutto un una uno vi viene voi`;
