import type { ReplyMessages } from '#messages/reply-messages';

export const DUTCH_MESSAGES: ReplyMessages = {
  quoted: '‘{text}’',
  accordingTo: 'Volgens ‘{title}’:',
  mayAnswer: 'Deze passage uit ‘{title}’ beantwoordt misschien de vraag:',
  alsoIn: '‘{title}’ vult aan:',
  overview: 'Kort samengevat, uit de documenten:',
  closest: 'Dit is de passage die er het dichtst bij komt:',
  contradiction: 'De documenten verschillen van elkaar:',
  notFound: 'Ik heb daarop geen antwoord gevonden in de documenten die ik kan zien.',
  nothingAbout: 'Ik heb niets over {subject} gevonden in de documenten die ik kan zien.',
  missing: 'De gevonden passages vermelden {value} niet.',
  missingSeveral: 'De gevonden passages vermelden {values} niet.',
  mainPoints: 'Wat staat er in ‘{title}’?',
  rephrase: 'Probeer het met andere woorden, of vraag naar iets wat in de documenten staat.',
  rephraseLike: 'Probeer het met andere woorden, of vraag naar iets wat in de documenten staat, bijvoorbeeld {titles}.',
  noDocuments:
    'Er zijn nog geen documenten die ik voor u kan doorzoeken. Upload documenten of koppel een bron en stel uw vraag daarna opnieuw.',
  notYet: 'Ik kan nog geen antwoord geven.',
  indexing: {
    one: '{count} document wordt nog geïndexeerd.',
    other: '{count} documenten worden nog geïndexeerd.',
  },
  askAgainLater: 'Stel uw vraag over een paar minuten opnieuw, alstublieft.',
  withheld:
    'Dit antwoord wordt niet meer getoond: het is gebaseerd op documenten die zijn verwijderd of die u niet meer mag lezen. Stel uw vraag opnieuw om een nieuw antwoord te krijgen.',
  greeting: 'Hallo! Stel een vraag over uw documenten, dan citeer ik de passages die er antwoord op geven.',
  thanks: 'Graag gedaan. Stel gerust nog een vraag.',
  farewell: 'Tot ziens!',
  aboutMe:
    'Ik ben Lectern met het ingebouwde extractieve model: ik doorzoek uw documenten en citeer de zinnen die uw vraag beantwoorden, met hun bronnen. Ik schrijf zelf geen teksten.',
  acknowledged: 'Goed. Wat wilt u in uw documenten opzoeken?',
};
