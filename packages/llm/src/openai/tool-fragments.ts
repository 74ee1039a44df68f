import { storableText } from '@lectern/text';
import type { ToolCallPart } from '#model/chat-message';
import type { ToolFragment } from '#openai/reply-chunk';
import { parseToolInput } from '#provider/parse-tool-input';

/** Puts tool calls together from the fragments of a stream. */
export interface ToolFragments {
  add(fragment: ToolFragment): void;
  calls(): ToolCallPart[];
}

/**
 * Fragments of one call share an index; servers that leave it out, or send several whole calls under one, are told by a new id. A call
 * without an id, or with one that another call has, gets one of ours.
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
      const taken = new Set<string>();
      return open
        .map(({ id, name, json }) => ({ id: storableText(id), name: storableText(name), json }))
        .filter(({ name }) => name !== '')
        .map(({ id, name, json }, at) => {
          const own = id === '' || taken.has(id) ? `call_${at + 1}_${crypto.randomUUID().slice(0, 8)}` : id;
          taken.add(own);
          return { type: 'tool_call', id: own, name, ...parseToolInput(json) };
        });
    },
  };
}
