import type { ReplyMessages } from '#messages/reply-messages';

export const FRENCH_MESSAGES: ReplyMessages = {
  quoted: '« {text} »',
  accordingTo: 'Selon « {title} » :',
  mayAnswer: 'Ce passage de « {title} » répond peut-être à la question :',
  alsoIn: '« {title} » ajoute :',
  overview: 'En bref, d’après les documents :',
  closest: 'Voici le passage le plus proche :',
  contradiction: 'Les documents ne concordent pas :',
  notFound: 'Je n’ai pas trouvé de réponse à cette question dans les documents que je peux consulter.',
  nothingAbout: 'Je n’ai rien trouvé sur {subject} dans les documents que je peux consulter.',
  missing: 'Les passages trouvés ne mentionnent pas {value}.',
  missingSeveral: 'Les passages trouvés ne mentionnent pas {values}.',
  mainPoints: 'Que dit « {title} » ?',
  rephrase: 'Essayez avec d’autres mots, ou posez une question sur un sujet traité dans les documents.',
  rephraseLike:
    'Essayez avec d’autres mots, ou posez une question sur un sujet traité dans les documents, par exemple {titles}.',
  noDocuments:
    'Il n’y a pas encore de documents que je puisse consulter pour vous. Téléversez des documents ou connectez une source, puis reposez votre question.',
  notYet: 'Je ne peux pas encore répondre.',
  indexing: {
    one: '{count} document est encore en cours d’indexation.',
    other: '{count} documents sont encore en cours d’indexation.',
  },
  askAgainLater: 'Veuillez reposer votre question dans quelques minutes.',
  withheld:
    'Cette réponse n’est plus affichée : elle s’appuie sur des documents qui ont été supprimés ou que vous n’avez plus le droit de lire. Reposez votre question pour obtenir une nouvelle réponse.',
  greeting: 'Bonjour ! Posez-moi une question sur vos documents, et je citerai les passages qui y répondent.',
  thanks: 'Je vous en prie. N’hésitez pas à poser d’autres questions.',
  farewell: 'Au revoir !',
  aboutMe:
    'Je suis Lectern, avec son modèle extractif intégré : je cherche dans vos documents et je cite les phrases qui répondent à votre question, avec leurs sources. Je ne rédige pas de texte moi-même.',
  acknowledged: 'D’accord. Que souhaitez-vous chercher dans vos documents ?',
};
