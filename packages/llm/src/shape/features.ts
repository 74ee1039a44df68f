/** A sign of a question's shape; its value is 1 where it holds and 0 where not. English and German. */
export interface ShapeFeature {
  readonly name: string;
  readonly holds: (question: string) => boolean;
}

const SUBJECT = '(?:i|we|you|one|someone|people|an? \\p{L}+|the \\p{L}+|ich|wir|man)';

const matches = (pattern: RegExp) => (question: string) => pattern.test(question);
const wordCount = (question: string): number => question.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

export const SHAPE_FEATURES: readonly ShapeFeature[] = [
  {
    name: 'greets',
    holds: matches(
      /^\W*(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:morgen|tag|abend)|moin|servus)\b/iu,
    ),
  },
  { name: 'thanks', holds: matches(/\b(?:thanks|thank you|thx|cheers|much appreciated|danke|vielen dank)\b/iu) },
  { name: 'parts', holds: matches(/^\W*(?:bye|goodbye|good night|see you|ciao|tschüss|auf wiedersehen|bis bald)\b/iu) },
  {
    name: 'asksAboutAssistant',
    holds: matches(
      /\b(?:who|what|how) are you\b|\byour name\b|\bwhat can you do\b|\bare you (?:an? )?(?:ai|bot|human|real|person|robot|machine)\b|\bwer bist du\b|\bwas kannst du\b|\bwie geht(?:'s| es)\b|\btell me a joke\b/iu,
    ),
  },
  {
    name: 'acknowledges',
    holds: matches(
      /^\W*(?:ok(?:ay)?|great|cool|nice|perfect|awesome|got it|sounds good|all right|alright|makes sense|i see|yes|no|yep|nope|sure|super|alles klar|gut|ja|nein)\b[^?]*$/iu,
    ),
  },
  { name: 'atMostFourWords', holds: (question) => wordCount(question) <= 4 },
  { name: 'atLeastFifteenWords', holds: (question) => wordCount(question) >= 15 },
  {
    name: 'howToDo',
    holds: matches(
      new RegExp(
        `\\bhow (?:do|does|can|could|should|would|must|shall|may|might) ${SUBJECT}\\b|\\bwie (?:kann|muss|soll|können|müssen|sollen) ${SUBJECT}\\b`,
        'iu',
      ),
    ),
  },
  {
    name: 'howTo',
    holds: matches(
      /\bhow to\b|\bhow(?:'s| is| are) .* (?:done|set up|made|calculated|handled|created|submitted|configured)\b|^\W*wie \p{L}+ (?:ich|wir|man)\b/iu,
    ),
  },
  {
    name: 'asksSteps',
    holds: matches(
      /\b(?:steps?|procedure|instructions?|guide|walk me through|process (?:for|to|of)|tutorial|schritte?|anleitung|vorgehen)\b/iu,
    ),
  },
  {
    name: 'asksWhatToDo',
    holds: matches(
      /\bwhat (?:should|must|do|shall) (?:i|we|you) (?:do|need)\b|\bwas (?:muss|soll|kann) (?:ich|man) (?:tun|machen)\b/iu,
    ),
  },
  { name: 'compares', holds: matches(/\b(?:compare[ds]?|comparison|comparing|versus|vs\.?|vergleich\p{L}*)\b/iu) },
  {
    name: 'asksDifference',
    holds: matches(/\b(?:differ(?:s|ences?|ent)?|distinguish\w*|distinction|unterschied\p{L}*|unterscheid\p{L}*)\b/iu),
  },
  {
    name: 'asksSimilarity',
    holds: matches(
      /\b(?:similarit(?:y|ies)|in common|better than|worse than|more .* than|less .* than|rather than|instead of|besser als)\b|\bor\b.*\b(?:better|cheaper|faster|longer|larger)\b|\b(?:better|cheaper|faster|longer|larger)\b.*\bor\b/iu,
    ),
  },
  { name: 'namesTwo', holds: matches(/\bbetween .+ and .+|\bzwischen .+ und .+/iu) },
  {
    name: 'asksWhichOf',
    holds: matches(
      /\b(?:what|which|welche)\b (?:are|were|is in|sind|\p{L}+s (?:are|do|does|can|have|were|should)|(?:\p{L}+ )?\p{L}+s\b)/iu,
    ),
  },
  {
    name: 'commandsList',
    holds: matches(
      /\b(?:list|enumerate|name|give me|show|tell me|nenne|liste|zähle)\b.*\b(?:all|every|the|some|examples?|alle)\b|^\W*(?:list|enumerate|liste|nenne)\b/iu,
    ),
  },
  {
    name: 'asksAllOf',
    holds: matches(
      /\b(?:all (?:the|of|our|my)|every|each|kinds of|types of|sorts of|examples of|options|welche arten|alle)\b/iu,
    ),
  },
  {
    name: 'summarizes',
    holds: matches(
      /\b(?:summar\p{L}+|tl;?dr|overview|gist|recap|in a nutshell|key (?:points|takeaways)|main points|outline|zusammenfass\p{L}*|fasse|überblick|kernpunkte)\b/iu,
    ),
  },
  {
    name: 'whatAbout',
    holds: matches(/\bwhat (?:is|does) .* (?:about|cover|say about)\b|\btell me about\b|\bworum geht\b/iu),
  },
  { name: 'asksWhy', holds: matches(/\b(?:why|how come|reasons? (?:for|behind|why)|warum|wieso|weshalb)\b/iu) },
  {
    name: 'analyses',
    holds: matches(
      /\b(?:analy[sz]e|analysis|evaluate|assess|assessment|implications?|impact|pros and cons|advantages?|disadvantages?|trade-?offs?|consequences|risks?|critique|argue|justify|recommend\p{L}*|analysiere|bewerte|vor- und nachteile|auswirkung\p{L}*|folgen)\b/iu,
    ),
  },
  {
    name: 'explains',
    holds: matches(/\b(?:explain|describe|elaborate|discuss|interpret|erkläre?|beschreibe?|erläutere?)\b/iu),
  },
  {
    name: 'asksShould',
    holds: matches(
      /^\W*should\b|\bwould it\b|\bwhat would happen\b|\bwhat if\b|\bhow (?:might|would|well|effective)\b/iu,
    ),
  },
  {
    name: 'asksHowMany',
    holds: matches(
      /\bhow (?:many|much|long|often|far|old|big|large|high|frequently)\b|\bwie (?:viele?|lange|oft|alt|hoch|groß|weit)\b/iu,
    ),
  },
  { name: 'asksWhoWhenWhere', holds: matches(/\b(?:who|whom|whose|when|where|wer|wen|wem|wann|wo|woher|wohin)\b/iu) },
  { name: 'asksWhatIs', holds: matches(/\b(?:what(?:'s|’s| is| was)|which|was ist|welche[rsmn]?)\b/iu) },
  {
    name: 'asksYesNo',
    holds: matches(
      /^\W*(?:is|are|was|were|do|does|did|can|could|may|will|has|have|am|ist|sind|hat|haben|kann|darf|gibt|wird)\b/iu,
    ),
  },
  { name: 'states', holds: (question) => !question.includes('?') && wordCount(question) >= 5 },
];
