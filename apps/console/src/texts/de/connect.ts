import type { connect as English } from '#texts/en/connect.ts';
import type { Translated } from '#texts/translated.ts';

export const connect: Translated<typeof English> = {
  heading: 'App verbinden',
  title: '{{name}} verbinden?',
  what: 'die App',
  wants: '<strong>{{name}}</strong> möchte Lectern als {{person}} ({{email}}) benutzen. Die App darf dann:',
  continueTo:
    'Danach geht es weiter zu: <strong>{{destination}}</strong>. Text aus Ihren Dokumenten wird dorthin übertragen.',
  publishedBy: 'Veröffentlicht von <strong>{{publisher}}</strong>.',
  notWeb:
    'Andere Programme auf diesem Gerät können sich als diese App ausgeben. Erlauben Sie den Zugriff nur, wenn Sie selbst gerade begonnen haben, diese App zu verbinden.',
  otherSite:
    'Der Herausgeber leitet Sie zu einer anderen Website weiter: {{site}}. Erlauben Sie den Zugriff nur, wenn Sie beiden vertrauen.',
  unknownApp:
    'Lectern kann nicht prüfen, wer diese App entwickelt hat. Erlauben Sie den Zugriff nur, wenn Sie die App gerade selbst verbunden haben.',
  unknownSite:
    'Lectern kann nicht prüfen, wer diese App entwickelt hat. Erlauben Sie den Zugriff nur, wenn Sie die App gerade selbst verbunden haben und {{site}} vertrauen.',
  deny: 'Ablehnen',
  allow: 'Erlauben',
  canDisconnect: 'Sie können die App jederzeit auf der Seite Ihres Kontos trennen.',
  cannotConnect: '{{name}} kann nicht verbunden werden',
  report: 'Melden Sie das den Entwicklern der App.',
  returnTo: 'Es geht zurück zu: <strong>{{destination}}</strong>.',
  return: 'Zurück zur App',
  continue: 'Machen Sie in der App weiter',
  canClose: 'Sie können diese Seite schließen. Wenn sich die App nicht öffnet, versuchen Sie es erneut.',
  open: 'App öffnen',
  keyCannot: 'Ein Schlüssel kann keine Apps verbinden',
  keyCannotHint: 'Eine App handelt für eine Person. Melden Sie sich ab und dann als Person wieder an.',
  signOut: 'Abmelden',
  noRequest: 'Keine App bittet um Zugriff',
  noRequestHint:
    'Verbinden Sie Lectern in den Einstellungen Ihres Assistenten mit der Adresse dieses Servers und /mcp.',
};
