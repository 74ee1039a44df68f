/** A binary feature of a question. English and German. */
export interface ShapeFeature {
  readonly name: string;
  readonly matches: (question: string) => boolean;
}

const ASKER = '(?:i|we|you|one|someone|people|an? \\p{L}+|ich|wir|man)';

function feature(name: string, pattern: RegExp | string): ShapeFeature {
  const anyCase = new RegExp(pattern, 'iu');
  return { name, matches: (question) => anyCase.test(question) };
}

/** Words of a conversation, which a claim to look up does not contain. */
const CONVERSATION = /\b(?:i|you|we|me|us|my|your|please|thanks?|danke|ich|du|sie|wir|mir|dir|bitte)\b/iu;

const wordCount = (question: string): number => question.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

const isStatement = (question: string): boolean => !question.includes('?') && wordCount(question) >= 5;

export const SHAPE_FEATURES: readonly ShapeFeature[] = [
  { name: 'atMostFourWords', matches: (question) => wordCount(question) <= 4 },
  { name: 'atLeastFifteenWords', matches: (question) => wordCount(question) >= 15 },
  feature(
    'howToDo',
    `\\bhow (?:do|does|must|shall|may) ${ASKER}\\b|\\bhow (?:can|could|should|would) \\p{L}+|\\bwie (?:kann|muss|soll|können|müssen|sollen) ${ASKER}\\b`,
  ),
  feature(
    'howTo',
    /\bhow to\b|\bhow(?:'s| is| are) .* (?:done|set up|made|calculated|handled|created|submitted|configured)\b|^\W*wie \p{L}+ (?:ich|wir|man)\b|\bbest way to\b|\bwhere do i start\b/u,
  ),
  feature(
    'asksSteps',
    /\b(?:steps? (?:to|for|are)|procedure|instructions?|guide|walk me through|process (?:for|to|of)|tutorial|schritte?|anleitung|vorgehen)\b/u,
  ),
  feature(
    'asksWhatToDo',
    /\bwhat (?:should|must|do|shall) (?:i|we|you) (?:do|need to)\b|\bwas (?:muss|soll|kann) (?:ich|man) (?:tun|machen)\b/u,
  ),
  feature(
    'compares',
    /\b(?:compare[ds]?|comparison (?:of|between|with|to)|comparing|contrast|versus|vs\.?|vergleich\p{L}*)\b/u,
  ),
  feature(
    'asksDifference',
    /\b(?:differ(?:s|ences?|ent)?|distinguish\w*|distinction|unterschied\p{L}*|unterscheid\p{L}*)\b/u,
  ),
  feature(
    'asksSimilarity',
    /\b(?:similarit(?:y|ies)|in common|rather than|instead of)\b|(?:(?<!\p{L})\p{L}{3,}er|more|less|better|worse|besser|mehr|weniger)(?: \p{L}+){0,2} (?:than|als) (?!an?\b|one|two|three|\p{N})/u,
  ),
  feature(
    'offersChoice',
    /\b(?:which|who|what|should i|is|are|was)\b.*\b(?:better|cheaper|faster|longer|larger|lower|higher|more|less|choose|prefer)\b.*\bor\b/u,
  ),
  feature('namesTwo', /\bbetween .+ and .+|\bzwischen .+ und .+/u),
  feature(
    'asksWhichPlural',
    /\b(?:what|which) (?:\p{L}+ ){0,2}?\p{L}{2,}(?<!ss|us|is|oes|has|was)s\b(?! (?:is|was|the)\b)|(?<!\p{L})welche \p{L}+(?:en|er|e)\b/u,
  ),
  feature('asksWhatAre', /\b(?:what|who) (?:are|were) (?:the |our |your |some )?(?:\p{L}+ )*\p{L}+s\b/u),
  feature(
    'commandsList',
    /^\W*(?:list|enumerate|name|give(?: me)?|show(?: me)?|tell me|all|liste|nenne|zähle)\b.*\b\p{L}+(?:s|en)\b|^\W*(?:list|enumerate|liste|nenne)\b/u,
  ),
  feature(
    'asksAllOf',
    /\b(?:all (?:the|of|our|my)|every|each|kinds of|types of|sorts of|examples of|options|some ways|welche arten|alle)\b/u,
  ),
  feature('asksOneName', /\b(?:what|which) (?:is|was|were) the (?:\p{L}+ )?(?:name|title|term)\b|\btell me the\b/u),
  feature(
    'summarizes',
    /\b(?:summar\p{L}+|sum up|condense|tl;?dr|overview|gist|recap|in a nutshell|key (?:points|takeaways)|main points|outline|brief me|zusammenfass\p{L}*|fasse|kernpunkte)\b|(?<!\p{L})(?:überblick|übersicht)/u,
  ),
  feature('whatAbout', /\bwhat (?:is|does) .* (?:about|cover|say about)\b|\btell me about\b|\bworum geht\b/u),
  feature('asksWhy', /\b(?:why|how come|reasons? (?:for|behind|why)|warum|wieso|weshalb)\b/u),
  feature(
    'analyses',
    /\b(?:analy[sz]e|analysis|evaluate|assess|assessment|implications?|impact|pros and cons|advantages|disadvantages|trade-?offs?|consequences|risks|critique|argue|justify|lessons|recommend\p{L}*|analysiere|bewerte|vor- und nachteile|auswirkung\p{L}*|folgen)\b/u,
  ),
  feature('explains', /\b(?:explain|describe|elaborate|discuss|interpret|erkläre?|beschreibe?|erläutere?)\b/u),
  feature(
    'asksShould',
    /^\W*should\b|\bwould it\b|\bwhat would happen\b|\bwhat if\b|\bhow (?:might|well|effective)\b|\bgood idea\b/u,
  ),
  feature(
    'asksHowMany',
    /\bhow (?:many|much|long|often|far|old|big|large|high|frequently)\b|\bwie (?:viele?|lange|oft|alt|hoch|groß|weit)(?!\p{L})/u,
  ),
  feature('asksWhoWhenWhere', /\b(?:who|whom|whose|when|where|wer|wen|wem|wann|wo|woher|wohin)\b/u),
  feature('asksWhatIs', /\b(?:what(?:'s|’s| is| was)|which|was ist|welche[rsmn]?)\b/u),
  feature(
    'asksYesNo',
    /^\W*(?:is|are|was|were|do|does|did|can|could|may|will|has|have|am|ist|sind|hat|haben|kann|darf|gibt|wird)\b/u,
  ),
  { name: 'states', matches: isStatement },
  { name: 'claims', matches: (question) => isStatement(question) && !CONVERSATION.test(question) },
];
