import type { ReplyMessages } from '#messages/reply-messages';

export const ROMANIAN_MESSAGES: ReplyMessages = {
  quoted: '„{text}”',
  accordingTo: 'Conform „{title}”:',
  mayAnswer: 'Acest pasaj din „{title}” ar putea răspunde la întrebare:',
  alsoIn: '„{title}” adaugă:',
  overview: 'Pe scurt, din documente:',
  closest: 'Acesta este cel mai apropiat pasaj pe care l-am găsit:',
  contradiction: 'Documentele diferă:',
  notFound: 'Nu am găsit un răspuns la această întrebare în documentele pe care le pot vedea.',
  nothingAbout: 'Nu am găsit nimic despre {subject} în documentele pe care le pot vedea.',
  missing: 'Pasajele găsite nu menționează {value}.',
  missingSeveral: 'Pasajele găsite nu menționează {values}.',
  mainPoints: 'Ce spune „{title}”?',
  rephrase: 'Încercați cu alte cuvinte sau întrebați despre ceva care apare în documente.',
  rephraseLike: 'Încercați cu alte cuvinte sau întrebați despre ceva care apare în documente, de exemplu {titles}.',
  noDocuments:
    'Nu există încă documente în care să pot căuta pentru dumneavoastră. Încărcați documente sau conectați o sursă, apoi întrebați din nou.',
  notYet: 'Încă nu pot să răspund.',
  indexing: {
    one: '{count} document este încă în curs de indexare.',
    few: '{count} documente sunt încă în curs de indexare.',
    other: '{count} de documente sunt încă în curs de indexare.',
  },
  askAgainLater: 'Vă rog să întrebați din nou peste câteva minute.',
  withheld:
    'Acest răspuns nu mai este afișat: se bazează pe documente care au fost șterse sau pe care nu mai aveți voie să le citiți. Întrebați din nou pentru a primi un răspuns nou.',
  greeting:
    'Bună ziua! Puneți o întrebare despre documentele dumneavoastră, iar eu voi cita pasajele care răspund la ea.',
  thanks: 'Cu plăcere. Întrebați dacă mai aveți nevoie de ceva.',
  farewell: 'La revedere!',
  aboutMe:
    'Sunt Lectern, cu modelul extractiv încorporat: caut în documentele dumneavoastră și citez propozițiile care răspund la întrebare, împreună cu sursele lor. Nu scriu texte proprii.',
  acknowledged: 'Bine. Ce doriți să căutați în documentele dumneavoastră?',
};
