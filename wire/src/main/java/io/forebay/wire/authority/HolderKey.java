// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.authority;

import io.forebay.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;

/**
 * The key of a certificate's holder: EC, P-256. The private key stays with the holder, who sends
 * the public key and a proof that it has the private one. Stateless; any thread.
 */
public final class HolderKey {
  /** Much more than a P-256 key has. */
  public static final int ENCODED_BYTES_MAX = 256;

  private static final String ALGORITHM = "EC";
  private static final String CURVE = "secp256r1";
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int FIELD_BITS = 256;

  private HolderKey() {}

  /** A new key; draws from the JDK's secure randomness. */
  public static KeyPair make() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(new ECGenParameterSpec(CURVE));
    return generator.generateKeyPair();
  }

  /** The public key as it is sent: a SubjectPublicKeyInfo. */
  public static Bytes encoded(PublicKey key) {
    return Bytes.copyOf(key.getEncoded());
  }

  /** Proves to have the private key, in a request for a certificate of that name. */
  public static Bytes prove(KeyPair key, CertificateName name) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(SIGNATURE);
    signature.initSign(key.getPrivate());
    signature.update(content(key.getPublic().getEncoded(), name));
    return Bytes.copyOf(signature.sign());
  }

  /**
   * The public key of a request.
   *
   * @throws GeneralSecurityException if it is no such key, or not proved
   */
  public static PublicKey verify(Bytes key, Bytes proof, CertificateName name)
      throws GeneralSecurityException {
    PublicKey found =
        KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(key.toArray()));
    boolean suitable =
        found instanceof ECPublicKey ec
            && ec.getParams().getCurve().getField().getFieldSize() == FIELD_BITS;
    if (!suitable) throw new GeneralSecurityException("the key is not of the curve P-256");
    Signature signature = Signature.getInstance(SIGNATURE);
    signature.initVerify(found);
    signature.update(content(key.toArray(), name));
    if (!signature.verify(proof.toArray())) {
      throw new GeneralSecurityException("the request is not signed by its key");
    }
    return found;
  }

  /** Whether both are the two halves of one key. */
  public static boolean isPair(PrivateKey key, PublicKey other) {
    CertificateName sample = new CertificateName(CertificateName.Role.ADMIN, "sample");
    try {
      Bytes proof = prove(new KeyPair(other, key), sample);
      verify(encoded(other), proof, sample);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] content(byte[] key, CertificateName name) {
    byte[] begin =
        ("forebay certificate request 1\n" + name.uri() + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] content = new byte[begin.length + key.length];
    System.arraycopy(begin, 0, content, 0, begin.length);
    System.arraycopy(key, 0, content, begin.length, key.length);
    return content;
  }
}
