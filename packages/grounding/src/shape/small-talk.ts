/** What a message that needs no document wants. */
export type SmallTalk = 'aboutMe' | 'thanks' | 'farewell' | 'greeting' | 'acknowledged';

/**
 * Complete phrases of small talk in all analyzed languages, in lower case and without punctuation.
 * A phrase that also starts a question about documents ("perfect", "super") counts only if nothing
 * else follows.
 */
const PHRASES: readonly (readonly [SmallTalk, string])[] = [
  [
    'aboutMe',
    '(?:who|what|how old|where) are you(?: called| made of| from)?|(?:what is|whats|what s) your (?:name|job|purpose)|do you have a name|' +
      'what (?:can|do) you do(?: for me)?|what are you able to do|what are you good at|(?:how )?can you help(?: me)?|how do you work|' +
      'are you (?:an? )?(?:ai|bot|human|real|person|chatgpt|claude|robot|machine|there)(?: or (?:an? )?(?:ai|bot|human|real|person|robot|machine))?|' +
      'introduce yourself|tell me (?:something )?about yourself|tell me a joke|' +
      'wer (?:bist du|sind sie)|wie hei(?:ß|ss)(?:t du|en sie)|was (?:kannst du|können sie)(?: alles| für mich tun)?|bist du (?:ein |eine )?(?:mensch|ki|bot|roboter|maschine)|erzähl(?:e)? mir einen witz|' +
      'qui es tu|qui êtes vous|que peux tu faire|quién eres|qué puedes hacer|chi sei|cosa sai fare|quem é você|wie ben je|wat kun je|vem är du|hvem er du|kuka sinä olet|ki vagy|cine ești|sen kimsin|kim jesteś|kdo jsi|qui ets|bạn là ai|кто ты|ποιος είσαι|من أنت|तुम कौन हो|你是谁|你是誰|你能做什么|あなたは誰|당신은 누구|คุณคือใคร',
  ],
  [
    'thanks',
    '(?:many |no )?thanks(?: (?:a lot|a bunch|so much|very much|a million|again|anyway))?|thank you(?: (?:so much|very much|again|kindly))?|thx|ty|cheers|much appreciated|i appreciate (?:it|that|your help)|' +
      '(?:vielen |herzlichen |besten |tausend |lieben )?dank(?: dir| ihnen)?|danke(?: (?:schön|sehr|dir|ihnen|vielmals))?|dankeschön|merci(?: beaucoup)?|(?:muchas )?gracias|grazie(?: mille)?|(?:muito )?obrigad[oa]|bedankt|dank (?:je|u)(?: wel)?|tack(?: så mycket)?|(?:mange |tusen )?tak+|kiitos|köszönöm|mulțumesc|teşekkürler|teşekkür ederim|dziękuję|díky|děkuji|(?:moltes )?gràcies|cảm ơn|спасибо|ευχαριστώ|شكرا|धन्यवाद|谢谢你?|謝謝|ありがとう(?:ございます)?|감사합니다|고마워요?|ขอบคุณ(?:ครับ|ค่ะ)?',
  ],
  [
    'farewell',
    'bye(?: bye)?|good ?bye|good night|see (?:you|ya)(?: (?:later|soon|tomorrow|around))?|take care|have a (?:nice|good|great) (?:day|one|evening|weekend)|ciao|' +
      'tschüss|tschau|auf wiedersehen|bis (?:bald|später|morgen|dann)|gute nacht|mach s gut|schönen (?:tag|abend|feierabend)(?: noch)?|au revoir|bonne nuit|adi[oó]s|hasta luego|buenas noches|arrivederci|tchau|até logo|tot ziens|doei|hej då|farvel|ha det|näkemiin|viszontlátásra|la revedere|hoşça kal|do widzenia|na shledanou|adéu|tạm biệt|до свидания|пока|αντίο|مع السلامة|अलविदा|再见|再見|さようなら|안녕히 가세요|ลาก่อน',
  ],
  [
    'greeting',
    'hi+|hello+|hey+|hiya|howdy|greetings|yo|good (?:morning|afternoon|evening|day)|welcome|nice to meet you|how (?:are you(?: doing| feeling)?|is it going|are things|s it going|do you do)|whats up|what s up|sup|' +
      'hallo|hallöchen|guten (?:morgen|tag|abend)|moin(?: moin)?|servus|grüß (?:gott|dich)|grüezi|wie geht(?: s| es)?(?: dir| ihnen)?|bonjour|bonsoir|salut|ça va|comment (?:ça va|allez vous)|hola|buenos días|buenas tardes|qué tal|cómo estás|buongiorno|buonasera|salve|come stai|olá|oi|bom dia|boa tarde|boa noite|tudo bem|goedemorgen|goedemiddag|goedenavond|hoi|hej|hei|god morgon|god morgen|hyvää päivää|moi|szia|jó napot|bună(?: ziua)?|merhaba|selam|günaydın|cześć|dzień dobry|ahoj|dobrý den|bon dia|xin chào|привет|здравствуйте|γεια(?: σου| σας)?|καλημέρα|مرحبا|السلام عليكم|नमस्ते|你好|您好|早上好|こんにちは|おはよう(?:ございます)?|안녕(?:하세요)?|สวัสดี(?:ครับ|ค่ะ)?',
  ],
  [
    'acknowledged',
    'ok(?:ay)?|okey|k|great|cool|nice|perfect|awesome|excellent|wonderful|amazing|super|wow|lol|haha(?:ha)*|hm+|oh|ah|got it|sounds good|all right|alright|(?:that )?makes sense|i see|understood|yes|yeah|no|yep|yup|nope|sure|of course|exactly|right|never ?mind|no problem|no worries|sorry|my bad|please|well done|good (?:job|work)|' +
      '(?:that|this|it) (?:helps|helped|works|worked|is (?:great|good|fine|perfect|helpful|all))|thats (?:great|good|fine|perfect|helpful|all)|that s (?:great|good|fine|perfect|helpful|all)|' +
      '(?:you are|youre|you re) (?:(?:so|very|really) )?(?:funny|great|good|nice|awesome|amazing|smart|clever|helpful|kind|welcome|right|wrong|the best|stupid|useless)|i (?:love|like|hate) (?:you|it|this|that)|' +
      'alles klar|gut|sehr gut|prima|toll|klasse|genau|verstanden|verstehe|ja|nein|doch|kein problem|egal|schon gut|bitte|entschuldigung|' +
      'oui|non|d accord|très bien|sí|vale|muy bien|va bene|sim|não|está bem|prima|tak|nie|да|нет|хорошо|ναι|όχι|نعم|हाँ|नहीं|好的?|是的?|不是|はい|いいえ|네|아니요|ใช่',
  ],
];

/** Words that accompany small talk and mean nothing alone. */
const COMPANIONS =
  'and|but|so|then|well|very much|a lot|again|today|now|there|everyone|everybody|all|team|folks|guys|friend|my friend|buddy|mate|sir|madam|lectern|assistant|bot|for (?:your|the|all your|all the) help|for (?:that|this|helping)|dear|really|und|aber|dann|heute|noch|zusammen|allerseits|für (?:die|deine|ihre) hilfe|nochmal';

const anyOf = (source: string) => new RegExp(`^(?:${source})(?= |$)`, 'u');
const MATCHERS = PHRASES.map(([kind, source]) => [kind, anyOf(source)] as const);
const COMPANION = anyOf(COMPANIONS);

/** A longer message is a question or a statement. */
const MAX_LENGTH = 160;

/**
 * Returns what a message wants if it is small talk from its first word to its last; undefined for
 * every other message, also for one that only starts with a greeting.
 */
export function smallTalkOf(message: string): SmallTalk | undefined {
  if (message.length > MAX_LENGTH) return undefined;
  let rest = message
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const found = new Set<SmallTalk>();
  while (rest !== '') {
    const next = longestPhrase(rest);
    if (next === undefined) return undefined;
    if (next.kind !== undefined) found.add(next.kind);
    rest = rest.slice(next.length).trimStart();
  }
  return PHRASES.map(([kind]) => kind).find((kind) => found.has(kind));
}

function longestPhrase(text: string): { readonly kind: SmallTalk | undefined; readonly length: number } | undefined {
  let best: { readonly kind: SmallTalk | undefined; readonly length: number } | undefined;
  for (const [kind, matcher] of [...MATCHERS, [undefined, COMPANION] as const]) {
    const length = matcher.exec(text)?.[0].length ?? 0;
    if (length > (best?.length ?? 0)) best = { kind, length };
  }
  return best;
}
