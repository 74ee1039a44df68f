/** What may follow a pictograph: how it is to be shown, its skin tone, the tags of a flag such as Scotland's. */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?\uFE0F?[\u{E0020}-\u{E007F}]*`;

/**
 * One emoji as it is written: a keycap, a flag, or pictographs with their skin tones, joined by zero-width joiners (👩🏽‍💻, 🏳️‍🌈). By Unicode's grammar
 * of emoji (UTS #51) rather than a list, so that new ones are found too.
 */
export const EMOJI = String.raw`[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{1,2}|${PICTOGRAPH}(?:\u200D${PICTOGRAPH})*|\p{Emoji_Modifier}`;

const WHOLE_EMOJI = new RegExp(`^(?:${EMOJI})$`, 'u');
/** Below these no emoji begins but the keycaps. */
const FIRST_PICTOGRAPH = 0xa9;
const KEYCAP = '\u20E3';
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/g;
const SKIN_TONES = /\p{Emoji_Modifier}/gu;

/** Whether a token is an emoji. */
export function isEmoji(token: string): boolean {
  const mayBe = token.charCodeAt(0) >= FIRST_PICTOGRAPH || token.endsWith(KEYCAP);
  return mayBe && WHOLE_EMOJI.test(token);
}

/** An emoji without its variation selectors, which say only whether it is shown in colour: ❤ and ❤️ are one. */
export function normalizeEmoji(emoji: string): string {
  return emoji.replace(VARIATION_SELECTORS, '');
}

/** An emoji without its skin tones; a skin tone alone stays as it is. */
export function withoutSkinTone(emoji: string): string {
  return emoji.replace(SKIN_TONES, '') || emoji;
}
