export { escapeMrkdwn, linkTo, markdownToMrkdwn } from '#markdown-to-mrkdwn';
export { type MentionNames, mrkdwnToMarkdown } from '#mrkdwn-to-markdown';
export { packText } from '#pack-text';
