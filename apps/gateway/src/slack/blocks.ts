import type { Confidence, Source } from '@lectern/contracts';
import { escapeMrkdwn, linkTo, markdownToMrkdwn, packText } from '@lectern/slack-markup';
import type { KnownBlock, ModalView } from '@slack/web-api';
import { ACTIONS, FEEDBACK_VIEW, type ReplyValue, type ViewMetadata } from '#slack/tasks';
import { type TextLanguage, textsIn } from '#slack/texts';

/** A section has at most 3,000 characters. https://docs.slack.dev/reference/block-kit/blocks/section-block */
const MAX_SECTION = 2_900;
/** Slack rejects messages whose blocks are too long, without a documented limit. */
const SECTIONS_PER_MESSAGE = 3;
const MAX_SOURCES = 8;
const MAX_EXCERPT = 180;
const MAX_NOTICE = 300;
/** The longest value of a button. */
const MAX_VALUE = 2_000;

/** A message: blocks, and the text for notifications. */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/**
 * Options of every message. `chat.update` otherwise searches the text for mentions, and a preview of a
 * link would load an address that a document contains.
 */
export const HARMLESS = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Slack only formats the markup in it, and turns no plain text into mentions and links. */
const markup = (text: string) => ({ type: 'mrkdwn' as const, text, verbatim: true });
const section = (text: string): KnownBlock => ({ type: 'section', text: markup(text) });
const context = (text: string): KnownBlock => ({ type: 'context', elements: [markup(text)] });
const plain = (text: string) => ({ type: 'plain_text' as const, text, emoji: false });

/** The beginning of a text, without half of an escaped character. */
const beginning = (text: string): string => packText([text], MAX_NOTICE)[0] ?? '';

/** A message of one sentence of the app. */
export const sentence = (text: string): Message => ({
  text: escapeMrkdwn(text),
  blocks: [context(escapeMrkdwn(text))],
});

/** A reply that is still being written: its last part. */
export function writing(markdown: string): Message {
  const part = packText(markdownToMrkdwn(markdown), MAX_SECTION).at(-1) ?? '';
  return { text: beginning(part), blocks: [section(part), context('…')] };
}

/** Messages of Markdown, without anything else. */
export function messagesOf(markdown: string): Message[] {
  const parts = packText(markdownToMrkdwn(markdown), MAX_SECTION);
  const messages: Message[] = [];
  for (let at = 0; at < parts.length; at += SECTIONS_PER_MESSAGE) {
    const own = parts.slice(at, at + SECTIONS_PER_MESSAGE);
    messages.push({ text: beginning(own[0] ?? ''), blocks: own.map(section) });
  }
  return messages;
}

/** The text of a passage in one line. */
function shortened(excerpt: string): string {
  const line = excerpt.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_EXCERPT ? line : `${[...line].slice(0, MAX_EXCERPT).join('')} …`;
}

function sourcesBlock(sources: readonly Source[], title: string, replyUrl: string | undefined): KnownBlock {
  const lines = sources.slice(0, MAX_SOURCES).map(({ title: name, url, excerpt }, at) => {
    const address = /^https?:/i.test(url) ? url : replyUrl;
    const link = address === undefined ? escapeMrkdwn(name) : linkTo(address, name);
    const quote = shortened(excerpt);
    return `[${at + 1}] ${link}${quote === '' ? '' : `\n&gt; ${escapeMrkdwn(quote)}`}`;
  });
  return section(packText([`*${title}*\n${lines.join('\n')}`], MAX_SECTION)[0] ?? '');
}

/** A complete reply. */
export interface ReplyContent {
  readonly markdown: string;
  readonly sources: readonly Source[];
  readonly confidence: Confidence | undefined;
  readonly isTimedOut: boolean;
  readonly conversationId: string;
  readonly messageId: string;
  readonly language: TextLanguage;
  /** The page of the conversation, if the installation knows its own address. */
  readonly url: string | undefined;
  /** The question, if others read the reply: anybody can ask it privately. */
  readonly publicQuestion: string | undefined;
}

const isLabel = (label: string): label is 'high' | 'medium' | 'low' => ['high', 'medium', 'low'].includes(label);

/** The messages of a complete reply. The buttons are in the last one. */
export function replyMessages(reply: ReplyContent): Message[] {
  const { markdown, sources, confidence, isTimedOut, language, url, publicQuestion } = reply;
  const texts = textsIn(language);
  const messages = messagesOf(markdown);
  const first = messages[0];
  if (isTimedOut) first?.blocks.unshift(context(escapeMrkdwn(texts.timedOut)));
  const end: KnownBlock[] = [];
  if (sources.length > 0) end.push(sourcesBlock(sources, texts.sources, url));
  const notes: string[] = [];
  if (sources.length > 0 && confidence !== undefined && isLabel(confidence.label)) {
    notes.push(texts.confidence[confidence.label]);
  }
  if (publicQuestion !== undefined) notes.push(texts.publicOnly);
  if (notes.length > 0) end.push(context(escapeMrkdwn(notes.join(' · '))));
  const value = JSON.stringify({ c: reply.conversationId, m: reply.messageId, l: language } satisfies ReplyValue);
  const canAsk = publicQuestion !== undefined && publicQuestion !== '' && publicQuestion.length <= MAX_VALUE;
  end.push({
    type: 'actions',
    elements: [
      { type: 'button', action_id: ACTIONS.up, text: plain(`👍 ${texts.up}`), value },
      { type: 'button', action_id: ACTIONS.down, text: plain(`👎 ${texts.down}`), value },
      ...(canAsk
        ? [
            {
              type: 'button' as const,
              action_id: ACTIONS.private,
              text: plain(texts.askPrivately),
              value: publicQuestion,
            },
          ]
        : []),
      ...(url === undefined
        ? []
        : [{ type: 'button' as const, action_id: ACTIONS.open, text: plain(texts.open), url }]),
    ],
  });
  const last = messages.at(-1);
  if (last === undefined) return [{ text: '…', blocks: end }];
  last.blocks.push(...end);
  return messages;
}

/** The dialog that asks what is wrong with a reply. */
export function feedbackDialog(metadata: ViewMetadata): ModalView {
  const { dialog } = textsIn(metadata.l);
  const options = Object.entries(dialog.reasons).map(([value, label]) => ({ text: plain(label), value }));
  return {
    type: 'modal',
    callback_id: FEEDBACK_VIEW,
    private_metadata: JSON.stringify(metadata),
    title: plain(dialog.title),
    submit: plain(dialog.send),
    close: plain(dialog.cancel),
    blocks: [
      {
        type: 'input',
        block_id: 'reason',
        optional: true,
        label: plain(dialog.reason),
        element: { type: 'static_select', action_id: 'reason', options },
      },
      {
        type: 'input',
        block_id: 'comment',
        optional: true,
        label: plain(dialog.comment),
        element: { type: 'plain_text_input', action_id: 'comment', multiline: true, max_length: 2_000 },
      },
    ],
  };
}
