import type { ReplyMessages } from '#messages/reply-messages';

export const SPANISH_MESSAGES: ReplyMessages = {
  quoted: '«{text}»',
  accordingTo: 'Según «{title}»:',
  mayAnswer: 'Este pasaje de «{title}» podría responder a la pregunta:',
  alsoIn: '«{title}» añade:',
  overview: 'En resumen, según los documentos:',
  closest: 'Este es el pasaje más cercano que he encontrado:',
  contradiction: 'Los documentos no coinciden:',
  notFound: 'No he encontrado una respuesta a esa pregunta en los documentos que puedo ver.',
  nothingAbout: 'No he encontrado nada sobre {subject} en los documentos que puedo ver.',
  missing: 'Los pasajes encontrados no mencionan {value}.',
  missingSeveral: 'Los pasajes encontrados no mencionan {values}.',
  mainPoints: '¿Qué dice «{title}»?',
  rephrase: 'Pruebe con otras palabras o pregunte por algo que aparezca en los documentos.',
  rephraseLike: 'Pruebe con otras palabras o pregunte por algo que aparezca en los documentos, por ejemplo {titles}.',
  noDocuments:
    'Todavía no hay documentos en los que pueda buscar. Suba documentos o conecte una fuente y vuelva a preguntar.',
  notYet: 'Todavía no puedo responder.',
  indexing: {
    one: 'Todavía se está indexando {count} documento.',
    other: 'Todavía se están indexando {count} documentos.',
  },
  askAgainLater: 'Vuelva a preguntar dentro de unos minutos, por favor.',
  withheld:
    'Esta respuesta ya no se muestra: se basa en documentos que se han eliminado o que usted ya no puede leer. Vuelva a preguntar para obtener una respuesta nueva.',
  greeting: '¡Hola! Haga una pregunta sobre sus documentos y citaré los pasajes que la responden.',
  thanks: 'De nada. Pregunte si necesita algo más.',
  farewell: '¡Hasta luego!',
  aboutMe:
    'Soy Lectern con su modelo extractivo integrado: busco en sus documentos y cito las frases que responden a su pregunta, con sus fuentes. No escribo textos propios.',
  acknowledged: 'De acuerdo. ¿Qué desea buscar en sus documentos?',
};
