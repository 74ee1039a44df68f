import { describe, expect, it } from '@jest/globals';
import { findConnectorType } from '#registry';

describe('fields that require the credentials again', () => {
  it.each([
    ['postgresql', ['host', 'port', 'sslMode', 'database', 'schema']],
    ['s3', ['endpoint', 'bucket']],
    ['confluence', ['instanceUrl']],
    ['jira', ['baseUrl']],
    ['gitlab', ['instanceUrl']],
    ['imap', ['host', 'port', 'security', 'mailboxes', 'delegation', 'principals']],
    ['microsoft_365', ['cloud', 'endpoint', 'sharedMailboxes', 'mailboxReaders', 'mailboxes', 'mailboxGroups']],
    // The URL is part of the credentials.
    ['salesforce', []],
    ['google_drive', ['users', 'orgUnits']],
    ['gmail', ['users', 'groups', 'excludeUsers', 'sharedMailboxes']],
    // The operator sets the address.
    ['github', []],
    ['slack', []],
  ])('determine where credentials are sent and what they give access to: %s', (name, fields) => {
    expect(findConnectorType(name).endpointFields).toEqual(fields);
  });
});

describe('fields after a change of which readers are refreshed', () => {
  it.each([
    ['microsoft_365', ['principals', 'sharedMailboxes', 'mailboxReaders', 'mailboxes', 'mailboxGroups']],
    ['gmail', ['principals', 'sharedMailboxes']],
    ['jira', ['principals']],
  ])('decide who can read documents: %s', (name, fields) => {
    expect(findConnectorType(name).readerFields).toEqual(fields);
  });
});
