import { storableText } from '@lectern/text';
import type { ToolCallPart } from '#model/chat-message';
import type { ToolFragment } from '#openai/reply-chunk';
import { parseToolInput } from '#provider/parse-tool-input';

/** Assembles tool calls from the fragments of a stream. */
export interface ToolFragments {
  add(fragment: ToolFragment): void;
  calls(): ToolCallPart[];
}

/**
 * Fragments of one call share an index. If a server omits it or sends several calls under one index,
 * a new id starts a new call. A call with a missing or duplicate id gets a generated one.
 */
export function createToolFragments(): ToolFragments {
  const open: { readonly index: number | undefined; id: string; name: string; json: string }[] = [];
  return {
    add({ index, id, function: part }) {
      let call = open.findLast((known) => known.index === index);
      const isNew = call === undefined || (Boolean(id) && call.id !== '' && call.id !== id && Boolean(part?.name));
      if (call === undefined || isNew) {
        call = { index, id: '', name: '', json: '' };
        open.push(call);
      }
      call.id ||= id ?? '';
      // Some servers repeat the name in every fragment.
      if (part?.name && call.name !== part.name) call.name += part.name;
      call.json += part?.arguments ?? '';
    },
    calls() {
      const usedIds = new Set<string>();
      return open
        .map(({ id, name, json }) => ({ id: storableText(id), name: storableText(name), json }))
        .filter(({ name }) => name !== '')
        .map(({ id, name, json }, at) => {
          const ownId = id === '' || usedIds.has(id) ? `call_${at + 1}_${crypto.randomUUID().slice(0, 8)}` : id;
          usedIds.add(ownId);
          return { type: 'tool_call', id: ownId, name, ...parseToolInput(json) };
        });
    },
  };
}
