import type { Command } from '#command';
import { chat } from '#commands/chat';
import { importDocuments } from '#commands/import';
import { login } from '#commands/login';
import { search } from '#commands/search';
import { status } from '#commands/status';
import { sync } from '#commands/sync';
import { synonyms } from '#commands/synonyms';
import { upload } from '#commands/upload';

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [login, status, upload, importDocuments, search, chat, sync, synonyms];
