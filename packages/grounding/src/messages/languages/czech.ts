import type { ReplyMessages } from '#messages/reply-messages';

export const CZECH_MESSAGES: ReplyMessages = {
  quoted: '„{text}“',
  accordingTo: 'Podle dokumentu „{title}“:',
  mayAnswer: 'Tato pasáž z dokumentu „{title}“ může být odpovědí na otázku:',
  alsoIn: 'Dokument „{title}“ dodává:',
  overview: 'Ve stručnosti z dokumentů:',
  closest: 'Toto je nejbližší pasáž, kterou se mi podařilo najít:',
  contradiction: 'Dokumenty se liší:',
  notFound: 'V dokumentech, které vidím, na to není žádná odpověď.',
  nothingAbout: 'V dokumentech, které vidím, není nic o tomto tématu: {subject}.',
  missing: 'Nalezené pasáže se nezmiňují o tomto: {value}.',
  missingSeveral: 'Nalezené pasáže se nezmiňují o tomto: {values}.',
  mainPoints: 'Co je hlavním obsahem dokumentu „{title}“?',
  rephrase: 'Zkuste to jinými slovy nebo se zeptejte na něco, o čem dokumenty pojednávají.',
  rephraseLike: 'Zkuste to jinými slovy nebo se zeptejte na něco, o čem dokumenty pojednávají, například: {titles}.',
  noDocuments:
    'Zatím nejsou k dispozici žádné dokumenty, které by se daly prohledat. Nahrajte dokumenty nebo připojte zdroj a pak se zeptejte znovu.',
  notYet: 'Zatím nemohu odpovědět.',
  indexing: {
    one: '{count} dokument se ještě indexuje.',
    few: '{count} dokumenty se ještě indexují.',
    many: '{count} dokumentu se ještě indexuje.',
    other: '{count} dokumentů se ještě indexuje.',
  },
  askAgainLater: 'Zeptejte se prosím znovu za několik minut.',
  withheld:
    'Tato odpověď se už nezobrazuje: vychází z dokumentů, které byly smazány nebo které už nesmíte číst. Zeptejte se znovu a dostanete novou odpověď.',
  greeting: 'Dobrý den! Zeptejte se na něco ze svých dokumentů a já odcituji pasáže, které na to odpovídají.',
  thanks: 'Není zač. Pokud budete potřebovat něco dalšího, zeptejte se.',
  farewell: 'Na shledanou!',
  aboutMe:
    'Jsem Lectern s vestavěným extrakčním modelem: prohledávám vaše dokumenty a cituji věty, které odpovídají na vaši otázku, i s jejich zdroji. Vlastní texty nepíšu.',
  acknowledged: 'Dobře. Co chcete ve svých dokumentech vyhledat?',
};
