/** Turkish function words, question words included. */
export const TURKISH_STOPWORDS = `
  acaba ama ancak arasında bazı belki ben beni benim bile bir biri birkaç birçok biz bizim bu buna bunda bundan
  bunlar bunları bunu bunun çok çünkü da daha dahi de defa değil diğer diye dolayı en fakat gibi göre hangi
  hangisi hem henüz hep hepsi her hiç için ile ilgili ise işte kadar kaç karşı kendi ki kim kime kimi kimin mı mi
  mu mü nasıl ne neden nedir nerede nereden nereye neler niçin niye o olan olarak oldu olduğu olduğunu olmak
  olması olsa olup on ona ondan onlar onların onu onun oysa öyle pek rağmen sadece sanki şey şu sen siz sonra
  tarafından tüm üzere üzerinde var ve veya ya yani yine yok zaten`;
