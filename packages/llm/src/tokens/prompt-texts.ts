import type { ChatRequest } from '#model/chat-model';

/** Returns all texts of a request. */
export function promptTexts({ system, messages, sources, tools }: ChatRequest): string[] {
  const texts: string[] = [system ?? ''];
  for (const tool of tools ?? []) texts.push(tool.name, tool.description, JSON.stringify(tool.inputSchema));
  const addSources = (documents: ChatRequest['sources']) => {
    for (const { title, passages } of documents) {
      texts.push(title);
      for (const { heading, text } of passages) texts.push(heading ?? '', text);
    }
  };
  addSources(sources);
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === 'text') texts.push(part.text);
      if (part.type === 'tool_call') texts.push(part.name, JSON.stringify(part.input));
      if (part.type === 'tool_result') {
        texts.push(part.content);
        addSources(part.sources ?? []);
      }
    }
  }
  return texts.filter((text) => text !== '');
}
