//! Client, issuer and check of tokens of type 2 (RFC 9578 section 6), with the signatures of `blind-rsa-signatures`.
//!
//! Reads one command a line from standard input, and responds with a line: `ok` and perhaps a value, or `error` and a text. Values are hex.
//!
//! ```text
//! blind VARIANT CHALLENGE TOKEN-KEY    -> TokenRequest
//! finalize TokenResponse               -> Token, of the last blind
//! token-key                            -> public key of this issuer
//! sign TokenRequest                    -> TokenResponse
//! check CHALLENGE TOKEN-KEY TOKEN
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};

use blind_rsa_signatures::{
    BlindSignature, DefaultRng, Deterministic, KeyPair, MessagePrepare, PSS, PSSZero, PublicKey, Randomized, SaltMode,
    Sha384, Signature,
};
use hmac_sha256::Hash;

const TOKEN_TYPE: [u8; 2] = [0, 2];
const BYTES: usize = 256;
const INPUT_BYTES: usize = 2 + 32 + 32 + 32;

type Outcome<T> = Result<T, Box<dyn Error>>;
/// Makes the token of a blind signature.
type Finish = Box<dyn FnOnce(&[u8]) -> Outcome<Vec<u8>>>;
/// The variant of RFC 9474 that RFC 9578 takes.
type TokenKey = PublicKey<Sha384, PSS, Deterministic>;

struct Issuer {
    keys: KeyPair<Sha384, PSS, Deterministic>,
    token_key: Vec<u8>,
}

impl Issuer {
    fn generate() -> Outcome<Issuer> {
        let keys = KeyPair::generate(&mut DefaultRng, BYTES * 8)?;
        let token_key = keys.pk.to_spki()?;
        Ok(Issuer { keys, token_key })
    }

    fn sign(&self, request: &[u8]) -> Outcome<Vec<u8>> {
        expect("token request: bytes", request.len(), 3 + BYTES)?;
        expect("token request: type", &request[..2], &TOKEN_TYPE[..])?;
        expect("token request: end of the key id", request[2], Hash::hash(&self.token_key)[31])?;
        Ok(self.keys.sk.blind_sign(&request[3..])?.0)
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, value: T, expected: T) -> Outcome<()> {
    if value == expected { Ok(()) } else { Err(format!("{what}: {value:?} (expected: {expected:?})").into()) }
}

/// The first four fields of a token, which are signed.
fn token_input(nonce: &[u8], challenge: &[u8], token_key: &[u8]) -> Vec<u8> {
    [&TOKEN_TYPE[..], nonce, &Hash::hash(challenge), &Hash::hash(token_key)].concat()
}

fn blind<S, M>(challenge: &[u8], token_key: &[u8]) -> Outcome<(Vec<u8>, Finish)>
where
    S: SaltMode + 'static,
    M: MessagePrepare + 'static,
{
    let mut nonce = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut nonce)?;
    let input = token_input(&nonce, challenge, token_key);
    let key = PublicKey::<Sha384, S, M>::from_spki(token_key)?;
    let blinded = key.blind(&mut DefaultRng, &input)?;
    let request = [&TOKEN_TYPE[..], &Hash::hash(token_key)[31..], &blinded.blind_message].concat();
    let finish = move |response: &[u8]| {
        let signature = key.finalize(&BlindSignature(response.to_vec()), &blinded, &input)?;
        Ok([&input[..], &signature].concat())
    };
    Ok((request, Box::new(finish)))
}

fn check(challenge: &[u8], token_key: &[u8], token: &[u8]) -> Outcome<Vec<u8>> {
    expect("token: bytes", token.len(), INPUT_BYTES + BYTES)?;
    let (input, signature) = token.split_at(INPUT_BYTES);
    expect("token: input", input, &token_input(&input[2..34], challenge, token_key)[..])?;
    TokenKey::from_spki(token_key)?.verify(&Signature(signature.to_vec()), None, input)?;
    Ok(Vec::new())
}

fn run(issuer: &Issuer, pending: &mut Option<Finish>, words: &[&str]) -> Outcome<Vec<u8>> {
    match words {
        ["blind", variant, challenge, token_key] => {
            let (challenge, token_key) = (from_hex(challenge)?, from_hex(token_key)?);
            let (request, finish) = match *variant {
                "pss" => blind::<PSS, Deterministic>(&challenge, &token_key)?,
                "pss-zero" => blind::<PSSZero, Deterministic>(&challenge, &token_key)?,
                "pss-randomized" => blind::<PSS, Randomized>(&challenge, &token_key)?,
                _ => return Err(format!("variant: {variant} (expected: pss, pss-zero or pss-randomized)").into()),
            };
            *pending = Some(finish);
            Ok(request)
        }
        ["finalize", response] => pending.take().ok_or("finalize: nothing blinded")?(&from_hex(response)?),
        ["token-key"] => Ok(issuer.token_key.clone()),
        ["sign", request] => issuer.sign(&from_hex(request)?),
        ["check", challenge, token_key, token] => check(&from_hex(challenge)?, &from_hex(token_key)?, &from_hex(token)?),
        _ => Err(format!("command: {} (expected: one of the list)", words.join(" ")).into()),
    }
}

fn from_hex(text: &str) -> Outcome<Vec<u8>> {
    expect("hex: odd digits", text.len() % 2, 0)?;
    let pairs = (0..text.len()).step_by(2).map(|i| text.get(i..i + 2).ok_or("hex: not ASCII"));
    pairs.map(|pair| Ok(u8::from_str_radix(pair?, 16)?)).collect()
}

fn main() -> Outcome<()> {
    let issuer = Issuer::generate()?;
    let mut pending = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        match run(&issuer, &mut pending, &words) {
            Ok(value) => println!("ok {}", value.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
            Err(e) => println!("error {e}"),
        }
        io::stdout().flush()?;
    }
    Ok(())
}
