import type { ContentBlockParam, RawMessageStreamEvent, TextCitation } from '@anthropic-ai/sdk/resources/messages';
import type { Citable, ReplyText, Support } from '@lectern/grounding';
import { storableText } from '@lectern/text';
import { resolveCitation } from '#anthropic/resolve-citation';
import type { ChatEvent } from '#model/chat-event';
import type { ToolCallPart } from '#model/chat-message';
import { parseToolInput } from '#provider/parse-tool-input';

type BlockEvent = Extract<
  RawMessageStreamEvent,
  { type: 'content_block_start' | 'content_block_delta' | 'content_block_stop' }
>;

interface TextBlock {
  readonly type: 'text';
  text: string;
  readonly citations: TextCitation[];
  readonly supports: Support[];
}

/** A block that is still being streamed. */
type OpenBlock =
  | TextBlock
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; json: string }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'opaque'; readonly block: ContentBlockParam };

/**
 * Reads the blocks of one message: streams text, and collects tool calls and blocks for the next
 * request.
 */
export interface BlockReader {
  read(event: BlockEvent): ChatEvent[];
  /** Ends the blocks that the stream did not end. */
  end(): ChatEvent[];
  readonly toolCalls: readonly ToolCallPart[];
  /** The message's blocks for the next request. */
  readonly blocks: readonly ContentBlockParam[];
}

/** Creates a reader for one message that adds its text to `reply`. */
export function createBlockReader(reply: ReplyText, citables: readonly Citable[]): BlockReader {
  const open = new Map<number, OpenBlock>();
  const toolCalls: ToolCallPart[] = [];
  const blocks: ContentBlockParam[] = [];

  const start = (event: Extract<BlockEvent, { type: 'content_block_start' }>): ChatEvent[] => {
    const block = event.content_block;
    switch (block.type) {
      case 'text': {
        const { opened, events } = startText(event.index);
        for (const citation of block.citations ?? []) addCitation(opened, citation);
        return [...events, ...addText(opened, block.text)];
      }
      case 'tool_use':
        open.set(event.index, {
          type: 'tool_use',
          id: storableText(block.id ?? `call_${crypto.randomUUID().slice(0, 8)}`),
          name: storableText(block.name),
          json: startingInput(block.input),
        });
        return [];
      case 'thinking':
        open.set(event.index, { type: 'thinking', thinking: block.thinking ?? '', signature: block.signature ?? '' });
        return [];
      case 'redacted_thinking':
        open.set(event.index, { type: 'opaque', block: { type: 'redacted_thinking', data: block.data } });
        return [];
      default:
        return [];
    }
  };
  const startText = (index: number) => {
    const opened: TextBlock = { type: 'text', text: '', citations: [], supports: [] };
    open.set(index, opened);
    return { opened, events: reply.beginClaim() };
  };
  /** Adds text. Compatible servers can omit an empty text. */
  const addText = (block: TextBlock, text: string | undefined): ChatEvent[] => {
    block.text += text ?? '';
    return text ? reply.write(text) : [];
  };
  const addCitation = (block: TextBlock, citation: TextCitation): void => {
    const support = resolveCitation(citation, citables);
    if (support === undefined) return;
    block.citations.push(citation);
    block.supports.push(support);
  };
  const append = ({ index, delta }: Extract<BlockEvent, { type: 'content_block_delta' }>): ChatEvent[] => {
    const block = open.get(index);
    if (block === undefined && delta.type === 'text_delta') {
      // Compatible servers can start a text without `content_block_start`.
      const { opened, events } = startText(index);
      return [...events, ...addText(opened, delta.text)];
    }
    if (block?.type === 'text' && delta.type === 'text_delta') return addText(block, delta.text);
    if (block?.type === 'text' && delta.type === 'citations_delta') addCitation(block, delta.citation);
    if (block?.type === 'tool_use' && delta.type === 'input_json_delta') block.json += delta.partial_json ?? '';
    if (block?.type === 'thinking' && delta.type === 'thinking_delta') block.thinking += delta.thinking ?? '';
    if (block?.type === 'thinking' && delta.type === 'signature_delta') block.signature += delta.signature;
    return [];
  };
  const stop = (index: number): ChatEvent[] => {
    const block = open.get(index);
    open.delete(index);
    if (block?.type === 'opaque') blocks.push(block.block);
    if (block?.type === 'thinking')
      blocks.push({ type: 'thinking', thinking: block.thinking, signature: block.signature });
    if (block?.type === 'tool_use') {
      const call = { type: 'tool_call' as const, id: block.id, name: block.name, ...parseToolInput(block.json) };
      toolCalls.push(call);
      blocks.push({ type: 'tool_use', id: call.id, name: call.name, input: call.input });
    }
    if (block?.type !== 'text') return [];
    const text = storableText(block.text);
    if (text.trim() !== '') blocks.push({ type: 'text', text });
    return reply.endClaim(block.supports);
  };

  return {
    read(event) {
      switch (event.type) {
        case 'content_block_start':
          return start(event);
        case 'content_block_delta':
          return append(event);
        case 'content_block_stop':
          return stop(event.index);
      }
    },
    end: () => [...open.keys()].flatMap(stop),
    toolCalls,
    blocks,
  };
}

/** Streams start a call with `{}`. Some servers send the whole input there. */
function startingInput(input: unknown): string {
  const isEmpty = typeof input === 'object' && input !== null && Object.keys(input).length === 0;
  return input == null || isEmpty ? '' : JSON.stringify(input);
}
