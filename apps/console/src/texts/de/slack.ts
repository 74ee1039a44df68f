import type { slack as English } from '#texts/en/slack.ts';
import type { Translated } from '#texts/translated.ts';

export const slack: Translated<typeof English> = {
  title: 'Slack',
  intro: 'Personen fragen in Slack und erhalten Antworten aus dem, was sie lesen dürfen.',
  noAccess: 'Sie dürfen keine Slack-Apps verwalten',
  what: { apps: 'die Slack-Apps', manifest: 'das Manifest' },
  add: 'Slack-App hinzufügen',
  addTitle: 'Slack-App hinzufügen',
  editTitle: 'Slack-App bearbeiten',
  none: 'Noch keine Slack-Apps',
  noneHint:
    'Legen Sie in Slack eine App mit dem Manifest an, das „Slack-App hinzufügen“ anzeigt. Geben Sie dann hier deren Tokens ein.',
  readers: {
    title: 'Wer eine Antwort liest',
    direct:
      'In Direktnachrichten erhalten Personen Antworten aus allem, was sie in Lectern lesen dürfen. Slack muss eine bestätigte E-Mail-Adresse anzeigen, die zu einer aktiven Person dieses Teams gehört.',
    channels:
      'In einem erlaubten Kanal lesen andere die Antwort mit: Sie enthält nur Dokumente, die alle lesen dürfen. In allen anderen Kanälen und in Kanälen mit Gästen oder anderen Organisationen antwortet die App in einer Direktnachricht.',
    emails:
      'Wer in Ihrem Slack-Workspace E-Mail-Adressen ändern kann, kann im Namen jeder Person fragen. Fügen Sie nur Workspaces hinzu, deren Admins alles lesen dürfen.',
  },
  save: 'Speichern',
  added: 'Die Slack-App ist hinzugefügt.',
  saved: 'Die Slack-App ist gespeichert.',
  secretHint: 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
  keptHint: 'Lassen Sie das Feld leer, um den aktuellen Wert zu behalten.',
  transport: 'Wie Ereignisse ankommen',
  transportHint: 'Der Socket Mode funktioniert auch hinter einer Firewall.',
  transports: {
    http: 'Slack ruft Lectern auf (braucht eine öffentliche Adresse)',
    socket: 'Lectern verbindet sich mit Slack (Socket Mode)',
  },
  botToken: 'Bot User OAuth Token',
  signingSecret: 'Signing Secret',
  appToken: 'App-Level Token',
  channels: 'Erlaubte Kanäle',
  channelsHint:
    'IDs von Kanälen, eine pro Zeile. Antworten dort enthalten nur Dokumente, die alle lesen dürfen. Laden Sie die App mit /invite ein. Ohne Kanäle antwortet sie in Direktnachrichten.',
  agent: 'Agent',
  noAgent: 'Keiner: aus den Dokumenten antworten',
  collections: 'Sammlungen (Standard: alle, die die Person lesen darf)',
  stopped: 'gestoppt',
  connected: 'verbunden',
  connecting: 'wird verbunden',
  usesHttp: 'Slack ruft Lectern auf',
  usesSocket: 'Socket Mode',
  directOnly: 'nur Direktnachrichten',
  allowed_one: '{{count, number}} erlaubter Kanal',
  allowed_other: '{{count, number}} erlaubte Kanäle',
  test: 'Testen',
  start: 'Starten',
  stop: 'Stoppen',
  edit: 'Bearbeiten',
  delete: 'Löschen',
  deleteQuestion: '{{name}} löschen?',
  deleteHint:
    'Die App antwortet ab sofort nicht mehr. Gespräche bleiben erhalten. Deinstallieren Sie die App auch in Slack.',
  deleted: '{{name}} ist gelöscht.',
  manifest: 'Manifest',
  steps: {
    create:
      'Öffnen Sie <apps>api.slack.com/apps</apps>, wählen Sie <em>Create New App</em> → <em>From a manifest</em> und fügen Sie dieses Manifest als JSON ein.',
    install:
      'Klicken Sie auf <em>Install to Workspace</em>. Kopieren Sie das <em>Bot User OAuth Token</em> aus <em>OAuth & Permissions</em>.',
    signingSecret:
      'Kopieren Sie das <em>Signing Secret</em> aus <em>Basic Information</em>. Wenn Sie die App hier hinzugefügt haben, öffnen Sie in Slack <em>Event Subscriptions</em> und wählen Sie <em>Retry</em> neben der Request URL.',
    appToken:
      'Erzeugen Sie unter <em>Basic Information</em> → <em>App-Level Tokens</em> ein Token mit dem Scope <code>connections:write</code>.',
  },
};
