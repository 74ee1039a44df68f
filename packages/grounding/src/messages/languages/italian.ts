import type { ReplyMessages } from '#messages/reply-messages';

export const ITALIAN_MESSAGES: ReplyMessages = {
  quoted: '«{text}»',
  accordingTo: 'Secondo «{title}»:',
  mayAnswer: 'Questo passaggio di «{title}» potrebbe rispondere alla domanda:',
  alsoIn: '«{title}» aggiunge:',
  overview: 'In breve, dai documenti:',
  closest: 'Questo è il passaggio più vicino che ho trovato:',
  contradiction: 'I documenti non concordano:',
  notFound: 'Non ho trovato una risposta a questa domanda nei documenti che posso vedere.',
  nothingAbout: 'Non ho trovato nulla su {subject} nei documenti che posso vedere.',
  missing: 'I passaggi trovati non menzionano {value}.',
  missingSeveral: 'I passaggi trovati non menzionano {values}.',
  mainPoints: 'Che cosa dice «{title}»?',
  rephrase: 'Provi con altre parole o chieda qualcosa che sia trattato nei documenti.',
  rephraseLike: 'Provi con altre parole o chieda qualcosa che sia trattato nei documenti, per esempio {titles}.',
  noDocuments:
    'Non ci sono ancora documenti in cui io possa cercare. Carichi dei documenti o colleghi una fonte, poi ripeta la domanda.',
  notYet: 'Non posso ancora rispondere.',
  indexing: {
    one: '{count} documento è ancora in fase di indicizzazione.',
    other: '{count} documenti sono ancora in fase di indicizzazione.',
  },
  askAgainLater: 'Ripeta la domanda tra qualche minuto, per favore.',
  withheld:
    'Questa risposta non viene più mostrata: si basa su documenti che sono stati eliminati o che Lei non può più leggere. Ripeta la domanda per ottenere una nuova risposta.',
  greeting: 'Buongiorno! Faccia una domanda sui Suoi documenti e citerò i passaggi che rispondono.',
  thanks: 'Prego. Se Le serve altro, chieda pure.',
  farewell: 'Arrivederci!',
  aboutMe:
    'Sono Lectern con il suo modello estrattivo integrato: cerco nei Suoi documenti e cito le frasi che rispondono alla domanda, con le loro fonti. Non scrivo testi miei.',
  acknowledged: 'Va bene. Che cosa desidera cercare nei Suoi documenti?',
};
