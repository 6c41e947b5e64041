/// Currency codes and their various spellings.
package enum Currency {
    /// Signs, each with the currency that it usually means.
    private static let signs = [
        "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₪": "ILS", "₫": "VND",
        "฿": "THB", "₴": "UAH", "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL", "zł": "PLN", "kč": "CZK",
        "us$": "USD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "hk$": "HKD", "sg$": "SGD",
        "nt$": "TWD", "mx$": "MXN", "r$": "BRL", "円": "JPY", "¥": "JPY", "$": "USD", "euro": "EUR",
        "euros": "EUR",
    ]

    /// ISO 4217 currencies whose number of decimals is not two.
    private static let decimals = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0,
        "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3,
        "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
    ]

    /// The ISO 4217 code for a spelling of a currency, such as `EUR` for `€` and `eur`; an unknown name is
    /// returned unchanged.
    package static func code(of name: String) -> String {
        if let code = signs[name.lowercased()] { return code }
        let isCode = name.utf8.count == 3 && name.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        return isCode ? name.uppercased() : name
    }

    /// The number of decimals of a currency's minor unit.
    package static func minorUnits(of code: String) -> Int { decimals[code] ?? 2 }
}
