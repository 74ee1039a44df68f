import { isId } from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { MEMORY_LIMITS } from '#memories/memory-limits';

/** The fields of a memory in a request. Omitted fields are undefined. */
export interface MemoryFields {
  readonly content?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Empty: none. */
  readonly conversationId?: string | undefined;
  readonly importance?: number | undefined;
  readonly expiresAt?: Date | undefined;
}

/** Validates the given fields. Throws `invalid_request` with all invalid ones. */
export function checkMemory({ content, metadata, conversationId, importance, expiresAt }: MemoryFields): void {
  const issues: Issue[] = [];
  if (content !== undefined) issues.push(...contentIssues(content));
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MEMORY_LIMITS.metadataBytes) {
    issues.push({ path: 'metadata', message: `must have at most ${MEMORY_LIMITS.metadataBytes} bytes as JSON` });
  }
  if (metadata !== undefined && JSON.stringify(metadata).includes('\\u0000')) {
    issues.push({ path: 'metadata', message: 'must not contain the character U+0000' });
  }
  if (conversationId && !isId('conversation', conversationId)) {
    issues.push({ path: 'source.conversationId', message: 'must be the id of a conversation' });
  }
  if (importance !== undefined && !(importance >= 0 && importance <= 1)) {
    issues.push({ path: 'importance', message: 'must be between 0 and 1' });
  }
  if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) {
    issues.push({ path: 'expiresAt', message: 'must be in the future' });
  }
  if (issues.length > 0) throw invalidRequest(issues);
}

function contentIssues(content: string): Issue[] {
  if (content.trim() === '') return [{ path: 'content', message: 'must not be empty' }];
  if (content.includes('\u0000')) return [{ path: 'content', message: 'must not contain the character U+0000' }];
  const max = MEMORY_LIMITS.content;
  return [...content].length > max ? [{ path: 'content', message: `must have at most ${max} characters` }] : [];
}
