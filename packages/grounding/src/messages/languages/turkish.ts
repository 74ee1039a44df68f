import type { ReplyMessages } from '#messages/reply-messages';

export const TURKISH_MESSAGES: ReplyMessages = {
  quoted: '“{text}”',
  accordingTo: '“{title}” belgesine göre:',
  mayAnswer: '“{title}” belgesindeki bu bölüm soruyu yanıtlayabilir:',
  alsoIn: '“{title}” şunu ekliyor:',
  overview: 'Belgelere göre kısaca:',
  closest: 'Bulduğum en yakın bölüm şu:',
  contradiction: 'Belgeler birbirinden farklı:',
  notFound: 'Görebildiğim belgelerde bu soruya bir yanıt bulamadım.',
  nothingAbout: 'Görebildiğim belgelerde {subject} hakkında bir şey bulamadım.',
  missing: 'Bulunan bölümlerde {value} geçmiyor.',
  missingSeveral: 'Bulunan bölümlerde {values} geçmiyor.',
  mainPoints: '“{title}” belgesinde neler yazıyor?',
  rephrase: 'Başka sözcükler deneyin ya da belgelerde geçen bir konu hakkında soru sorun.',
  rephraseLike: 'Başka sözcükler deneyin ya da belgelerde geçen bir konu hakkında soru sorun, örneğin {titles}.',
  noDocuments:
    'Sizin için arama yapabileceğim bir belge henüz yok. Belge yükleyin ya da bir kaynak bağlayın, sonra yeniden sorun.',
  notYet: 'Henüz yanıt veremiyorum.',
  indexing: {
    one: '{count} belge hâlâ dizine ekleniyor.',
    other: '{count} belge hâlâ dizine ekleniyor.',
  },
  askAgainLater: 'Lütfen birkaç dakika sonra yeniden sorun.',
  withheld:
    'Bu yanıt artık gösterilmiyor: silinmiş olan ya da artık okuyamadığınız belgelere dayanıyor. Yeni bir yanıt almak için yeniden sorun.',
  greeting: 'Merhaba! Belgeleriniz hakkında bir soru sorun, yanıtı içeren bölümleri size aktarayım.',
  thanks: 'Rica ederim. Başka bir şeye ihtiyacınız olursa sorun.',
  farewell: 'Hoşça kalın!',
  aboutMe:
    'Ben Lectern’im ve yerleşik alıntı modelini kullanıyorum: Belgelerinizde arama yapıyor ve sorunuzu yanıtlayan cümleleri kaynaklarıyla birlikte aktarıyorum. Kendim metin yazmıyorum.',
  acknowledged: 'Peki. Belgelerinizde ne aramak istersiniz?',
};
