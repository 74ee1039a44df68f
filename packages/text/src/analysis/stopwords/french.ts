/** French function words, question words included. */
export const FRENCH_STOPWORDS = `
  à afin ai ainsi alors après as au aucun aucune auquel aussi autre autres aux avait avant avec avez avoir avons c
  car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis des donc
  dont du elle elles en encore entre es est et était étaient été être eu eux fait faut il ils j je jusqu l la
  laquelle le lequel les lesquels leur leurs lors lorsque lui m ma mais me même mes moi mon n ne ni nos notre nous
  on ont ou où par parce pas pendant peut peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels
  qui quoi s sa sans se selon sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes très
  tu un une vers vos votre vous y`;
