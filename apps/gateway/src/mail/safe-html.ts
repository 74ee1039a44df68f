import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** An image would report to its server that, when and where somebody reads the message. */
const NO_IMAGES = { disable: { null: ['labelStartImage'] } };

/** Converts Markdown to HTML without tags, scripts, images and addresses of its author's choice except links. */
export const safeHtml = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm(), NO_IMAGES], htmlExtensions: [gfmHtml()] });
