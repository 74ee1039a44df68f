import type { KeyboardEvent } from 'react';

/** True while an input method composes text. For the key that ends it, Safari sets only the code 229. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || keyCode === 229;

/** True for the key that asks a question. Shift+Enter starts a new line. */
export const isAskKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !isComposing(event);
