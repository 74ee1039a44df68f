/** The scopes of the bot token, and why the app needs each. */
export const BOT_SCOPES = [
  // Questions: mentions in channels, and direct messages.
  'app_mentions:read',
  'im:history',
  // Replies.
  'chat:write',
  'im:write',
  // Who asks, and who is in a channel.
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
] as const;

const EVENTS = ['app_mention', 'message.im', 'app_uninstalled', 'tokens_revoked'];

/**
 * The manifest of an app. https://docs.slack.dev/reference/app-manifest
 * `url` is the address of this installation.
 */
export function slackManifest(transport: 'http' | 'socket', url: string) {
  const isSocket = transport === 'socket';
  return {
    display_information: {
      name: 'Lectern',
      description: 'Answers questions from your documents',
      background_color: '#1f2937',
    },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Lectern', always_online: true },
    },
    oauth_config: { scopes: { bot: [...BOT_SCOPES] } },
    settings: {
      event_subscriptions: { ...(isSocket ? {} : { request_url: `${url}/slack/events` }), bot_events: EVENTS },
      interactivity: { is_enabled: true, ...(isSocket ? {} : { request_url: `${url}/slack/interactions` }) },
      org_deploy_enabled: false,
      socket_mode_enabled: isSocket,
      token_rotation_enabled: false,
    },
  };
}
